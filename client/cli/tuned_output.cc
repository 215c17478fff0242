#include "client/cli/tuned_output.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/cli/case_studies.h"
#include "client/cli/tuned_kernels.h"
#include "client/report/program_gain.h"
#include "client/report/words.h"
#include "client/submit/shell_words.h"
#include "client/submit/study_request.h"
#include "common/base/source_language.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/code_doubt.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/evaluation/study_result.h"
#include "common/exchange/results_alone.h"
#include "common/tuned/device_interface.h"
#include "common/tuned/device_sizes.h"
#include "common/tuned/guard.h"
#include "common/tuned/tuned_file.h"

namespace tune {
namespace {

// The evaluation with the candidate's code: its own, or that of the candidate with the same code.
absl::StatusOr<v1::Evaluation> CodeOf(StudyClient& client, const std::string& id, int64_t index) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client.GetCandidate(id, index));
  const v1::Evaluation& evaluation = candidate.evaluation();
  if (!evaluation.code().empty()) return evaluation;
  const int64_t original = evaluation.duplicate_of_plus_one() - 1;
  if (original >= 0 && original < index) return CodeOf(client, id, original);
  return absl::NotFoundError(absl::StrCat(id, "/", index, ": the server has no code of this candidate"));
}

absl::StatusOr<TunedStudy> FetchStudy(Session& session, StudyClient& client, const std::string& id) {
  TunedStudy fetched;
  TUNE_ASSIGN_OR_RETURN(fetched.study, client.GetStudy(id));
  if (fetched.study.best_index() < 0) {
    return absl::NotFoundError(absl::StrCat(id, " (", StudyStateName(fetched.study.state()),
                                            ") has no correct candidate, so there is nothing to fetch; `",
                                            session.Hint(absl::StrCat("show ", id, " --candidates")),
                                            "` tells what became of each"));
  }
  if (AreResultsAlone(fetched.study.provenance().format())) {
    return absl::NotFoundError(absl::StrCat(
        id, " holds results without code, imported from ", fetched.study.provenance().server(),
        ": there is nothing to fetch; `", session.Hint("best " + id), "` prints the configuration"));
  }
  TUNE_ASSIGN_OR_RETURN(fetched.spec, client.GetStudySpec(id));
  TUNE_ASSIGN_OR_RETURN(const v1::Evaluation best, CodeOf(client, id, fetched.study.best_index()));
  fetched.code = best.code();
  fetched.device_file = best.device_file();
  fetched.doubt = CodeDoubt(fetched.study, best);
  if (fetched.spec.has_kernel()) {
    TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client.GetCandidate(id, fetched.study.best_index()));
    fetched.configuration = candidate.configuration();
    return fetched;
  }
  if (fetched.study.device().target() == v1::CUDA && !fetched.on_gpu()) {
    return absl::NotFoundError(
        absl::StrCat(id, "/", fetched.study.best_index(),
                     ": the server has no CUDA file of this candidate; replay it with a newer tune-worker: `",
                     session.Hint(absl::StrCat("replay ", id, "/", fetched.study.best_index())), "`"));
  }
  return fetched;
}

const std::string& FileContent(const v1::Program& program, const std::string& path) {
  static const std::string* const kNone = new std::string;
  for (const v1::SourceFile& file : program.files()) {
    if (file.path() == path) return file.content();
  }
  return *kNone;
}

absl::Status CheckSameFile(const TunedStudy& first, const TunedStudy& other) {
  if (first.spec.has_kernel() || other.spec.has_kernel()) return CheckSameKernels(first, other);
  const std::string& path = first.spec.scop().region().file();
  if (path == other.spec.scop().region().file() &&
      FileContent(first.spec.program(), path) == FileContent(other.spec.program(), path)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      first.study.id(), " and ", other.study.id(),
      " are not of the same file in the same version, so they cannot go into one; fetch them one by one"));
}

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// By the objective of both. By time: by the user's program, with copies to a device and back; where that was
// not run for both, by the region. A program that failed is not better than another one.
bool IsBetterThan(const v1::Study& a, const v1::Study& b) {
  if (HasFailedInProgram(a) != HasFailedInProgram(b)) return HasFailedInProgram(b);
  if (!IsTimeObjective(a.search())) return IsLessCost(BestCost(a.search(), a), BestCost(b.search(), b));
  const ResultTimes of_a = TimesOfResult(a), of_b = TimesOfResult(b);
  if (of_a.in_program && of_b.in_program) return of_a.compared.ratio() > of_b.compared.ratio();
  return a.gain_over_sequential() > b.gain_over_sequential();
}

// Adds `study` to those taken, or in place of one of the same region and size that is worse, or tells that it
// is the worse one itself. INVALID_ARGUMENT: two of one region and size were tuned for different objectives.
absl::Status TakeBetter(TunedStudy study, std::vector<TunedStudy>& taken, std::vector<std::string>& slower) {
  for (TunedStudy& other : taken) {
    TUNE_ASSIGN_OR_RETURN(const bool same, SameRegionAndSize(study.spec.scop(), study.study.reference(),
                                                             other.spec.scop(), other.study.reference()));
    if (!same) continue;
    TUNE_RETURN_IF_ERROR(CheckSameObjective(study.study, other.study));
    if (IsBetterThan(study.study, other.study)) std::swap(study, other);
    const auto name = [](const v1::Study& named) {
      return absl::StrCat(named.id(), " (", TargetWord(named.device().target()), ")");
    };
    const char* const better = IsTimeObjective(study.study.search()) ? "faster" : "better";
    slower.push_back(
        absl::StrCat(name(study.study), ": ", name(other.study), " is ", better, " at the same size"));
    return absl::OkStatus();
  }
  taken.push_back(std::move(study));
  return absl::OkStatus();
}

// The CUDA file of a study, with a comment that says what it belongs to.
DeviceFile MakeDeviceFile(const TunedStudy& study, const std::string& path, const std::string& output) {
  const std::string architecture = ArchitectureOf(study.study.device());
  const std::string& id = study.study.id();
  const std::string head =
      absl::StrCat("// ", id.empty() ? "Generated by tunectl" : "Tuned by tunectl, study " + id, ", for ",
                   study.study.device().model(), "; belongs to ", NameOf(output), ".\n// ",
                   NvccCommand(architecture, study.spec.rounding()), " ", NameOf(path), "\n");
  DeviceFile file = {path, head + study.device_file, "", "", architecture, study.spec.rounding()};
  if (HasEntryPoints(study.device_file, study.spec.scop().name())) {
    file.header_path = absl::StrCat(absl::StripSuffix(path, ".cu"), ".h");
    file.header = PrintDeviceHeader(study.spec.scop(), NameOf(path));
  }
  return file;
}

TunedRegion MakeRegion(const TunedStudy& study, const DeviceFile* device_file) {
  TunedRegion region = {&study.spec.scop(), &study.study.reference(), study.code,
                        HeaderOf(study),    study.size_arguments,     study.after_original};
  if (device_file == nullptr) {
    if (!study.study.id().empty()) region.header.compile_flags = MeasuredFlags(study.spec.program());
  } else {
    region.header.device_file = NameOf(device_file->path);
    region.header.architecture = device_file->architecture;
    region.header.rounding = device_file->rounding;
    region.header.shared = study.study.generator() == kSharedGenerator;
  }
  return region;
}

// Studies for GPUs, those of one region together, in the order of their first ones.
std::vector<std::vector<const TunedStudy*>> PlacesOnDevice(const std::vector<TunedStudy>& studies) {
  std::vector<std::vector<const TunedStudy*>> places;
  for (const TunedStudy& study : studies) {
    if (!study.on_gpu()) continue;
    auto place = std::find_if(places.begin(), places.end(), [&](const auto& sizes) {
      return SamePlace(sizes[0]->spec.scop(), study.spec.scop());
    });
    if (place == places.end()) place = places.insert(place, std::vector<const TunedStudy*>());
    place->push_back(&study);
  }
  return places;
}

// The entry points that take one of the sizes; without a header where there are none.
DeviceFile MakeDispatchFile(const std::vector<const TunedStudy*>& studies,
                            const std::vector<RegionSize>& sizes, const std::string& path) {
  std::vector<DeviceSize> of_device;
  for (size_t i = 0; i < studies.size(); ++i) of_device.push_back({&studies[i]->spec.scop(), sizes[i]});
  const DeviceDispatch dispatch = PrintDeviceDispatch(of_device, NameOf(path));
  DeviceFile file = {path,
                     dispatch.file,
                     "",
                     dispatch.header,
                     ArchitectureOf(studies[0]->study.device()),
                     v1::ROUNDING_UNSPECIFIED};
  file.text.insert(0, absl::StrCat("// Written by tunectl: entry points of ", sizes.size(), " sizes.\n// ",
                                   NvccCommand(file.architecture, v1::ROUNDING_UNSPECIFIED), " ",
                                   NameOf(path), "\n// ---- host ----\n"));
  if (!file.header.empty()) file.header_path = absl::StrCat(absl::StripSuffix(path, ".cu"), ".h");
  return file;
}

// The CUDA files of one region, whose sizes have different names for linkers, and its code for the C file.
absl::Status AddDeviceRegions(const std::vector<const TunedStudy*>& studies, const std::string& c_file,
                              int number, TunedOutput* tuned, std::vector<TunedRegion>* regions) {
  const std::string path = DeviceFilePath(c_file, number);
  if (studies.size() == 1) {
    tuned->device_files.push_back(MakeDeviceFile(*studies[0], path, c_file));
    regions->push_back(MakeRegion(*studies[0], &tuned->device_files.back()));
    return absl::OkStatus();
  }
  for (const TunedStudy* study : studies) {
    if (study->study.generator() == kSharedGenerator)
      return absl::InvalidArgumentError(absl::StrCat(
          study->study.id(),
          ": a region that CPU and GPU share is for one size in a file; fetch the sizes one by one"));
  }
  std::vector<std::pair<const v1::Scop*, const v1::Reference*>> scops;
  for (const TunedStudy* study : studies) scops.emplace_back(&study->spec.scop(), &study->study.reference());
  const std::vector<RegionSize> sizes = FindSizes(scops);
  DeviceFile dispatch = MakeDispatchFile(studies, sizes, path);
  const bool dispatches = !dispatch.header.empty();
  for (size_t i = 0; i < studies.size(); ++i) {
    TunedStudy sized = *studies[i];
    const std::string region = sized.spec.scop().name(), name = SizedName(region, sizes[i].tag);
    TUNE_ASSIGN_OR_RETURN(sized.device_file, RenameDeviceFile(sized.device_file, region, name));
    sized.spec.mutable_scop()->set_name(name);
    DeviceFile file =
        MakeDeviceFile(sized, absl::StrCat(absl::StripSuffix(path, ".cu"), ".", sizes[i].tag, ".cu"), c_file);
    if (dispatches) file.header_path.clear(), file.header.clear();
    regions->push_back(MakeRegion(*studies[i], &file));
    regions->back().code = RenameCall(studies[i]->code, region, name);
    tuned->device_files.push_back(std::move(file));
  }
  if (dispatches) tuned->device_files.push_back(std::move(dispatch));
  return absl::OkStatus();
}

}  // namespace

TunedStudy TunedStudyOfCases(const v1::StudySpec& spec, const v1::CaseDiscussion& discussion,
                             const std::string& device) {
  TunedStudy study;
  study.spec = spec;
  study.study.mutable_device()->set_target(v1::CUDA);
  study.study.mutable_device()->set_model(device);
  study.code = discussion.code();
  study.device_file = discussion.device_file();
  study.after_original = discussion.after_original();
  study.size_arguments.emplace();
  study.size_arguments->requirement = discussion.requirement();
  for (const auto& [array, extent] : discussion.first_extents())
    study.size_arguments->first_extents[array] = extent;
  return study;
}

TunedFileHeader HeaderOf(const TunedStudy& study) {
  TunedFileHeader header;
  header.study = study.study.id();
  header.device = study.study.device().model();
  header.doubt = study.doubt;
  SetGains(study.study, &header);
  return header;
}

absl::Status CheckSameObjective(const v1::Study& a, const v1::Study& b) {
  if (SameObjective(a.search(), b.search())) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(a.id(), " and ", b.id(), " are tuned for different objectives, ", ObjectiveOf(a.search()),
                   " and ", ObjectiveOf(b.search()), "; fetch them one by one"));
}

absl::Status CheckOutputName(const std::string& output) {
  if (!absl::EndsWith(output, ".cu")) return absl::OkStatus();
  return UsageError(absl::StrCat("--output ", output, ": name the file in C or C++, such as ",
                                 absl::StripSuffix(output, ".cu"),
                                 ".c; a CUDA file that belongs to it is written beside it as ", output));
}

std::string DeviceFilePath(const std::string& output, int number) {
  const std::string stem = WithoutSourceExtension(output);
  return number == 0 ? stem + ".cu" : absl::StrCat(stem, ".", number, ".cu");
}

absl::StatusOr<TunedOutput> FetchTuned(Session& session, StudyClient& client,
                                       const std::vector<std::string>& studies, const std::string& output,
                                       bool force, bool one_size) {
  std::vector<TunedStudy> fetched;
  TunedOutput left_out;
  for (const std::string& id : studies) {
    TUNE_ASSIGN_OR_RETURN(TunedStudy study, FetchStudy(session, client, id));
    if (!fetched.empty()) TUNE_RETURN_IF_ERROR(CheckSameFile(fetched[0], study));
    fetched.push_back(std::move(study));
  }
  const auto has_cases = [](const TunedStudy& study) { return study.study.has_cases(); };
  if (!one_size && std::any_of(fetched.begin(), fetched.end(), has_cases))
    return PrintCaseStudies(session, client, fetched, output);
  left_out.program = fetched[0].spec.program();
  std::vector<TunedStudy> taken;
  if (fetched[0].spec.has_kernel()) {
    TUNE_ASSIGN_OR_RETURN(taken, BestOfEach(std::move(fetched), &left_out.slower_twins));
    fetched.clear();
  }
  for (TunedStudy& study : fetched) {
    if (!force && IsNoGain(study.study)) {
      left_out.not_faster.push_back(
          absl::StrCat(study.study.id(), " (", StudyTitle(study.study), "): ", ProgramGain(study.study)));
    } else {
      TUNE_RETURN_IF_ERROR(TakeBetter(std::move(study), taken, left_out.slower_twins));
    }
  }
  if (taken.empty()) return left_out;
  TUNE_ASSIGN_OR_RETURN(TunedOutput tuned, PrintTuned(taken, output));
  for (const TunedStudy& study : taken) {
    tuned.taken.push_back(study.study.id());
    if (!study.doubt.empty()) tuned.doubts.push_back(absl::StrCat(study.study.id(), ": ", study.doubt));
  }
  tuned.not_faster = std::move(left_out.not_faster);
  tuned.slower_twins = std::move(left_out.slower_twins);
  return tuned;
}

std::string DefaultOutput(const std::string& file, const v1::StudySpec& spec) {
  return spec.has_kernel() ? FileStem(file) + ".tuned.h" : TunedName(file);
}

absl::StatusOr<TunedOutput> PrintTuned(const std::vector<TunedStudy>& studies, const std::string& output) {
  if (studies[0].spec.has_kernel()) return PrintTunedKernels(studies, output);
  const std::string c_file =
      output.empty() ? DefaultOutput(studies[0].spec.scop().region().file(), studies[0].spec) : output;
  TunedOutput tuned;
  tuned.program = studies[0].spec.program();
  for (const TunedStudy& study : studies) {
    const auto& defines = study.spec.program().defines();
    tuned.defines.emplace_back(defines.begin(), defines.end());
    tuned.online |= !study.after_original.empty();
    tuned.openmp |= study.study.generator() == kSharedGenerator;
  }
  std::vector<TunedRegion> regions;
  const std::vector<std::vector<const TunedStudy*>> places = PlacesOnDevice(studies);
  for (size_t place = 0; place < places.size(); ++place) {
    const int number = places.size() > 1 ? static_cast<int>(place) + 1 : 0;
    TUNE_RETURN_IF_ERROR(AddDeviceRegions(places[place], c_file, number, &tuned, &regions));
  }
  for (const TunedStudy& study : studies) {
    if (study.on_gpu()) continue;
    tuned.openmp = true;
    regions.push_back(MakeRegion(study, nullptr));
  }
  TUNE_ASSIGN_OR_RETURN(const std::string text, PrintTunedFile(tuned.program, regions));
  tuned.text = WithMark(text);
  for (DeviceFile& file : tuned.device_files) {
    file.text = WithMark(file.text);
    if (!file.header.empty()) file.header = WithMark(file.header);
  }
  return tuned;
}

absl::Status CheckTunedOutput(const std::string& output, v1::Target target, const OutputRules& rules) {
  TUNE_RETURN_IF_ERROR(CheckOutputName(output));
  TUNE_RETURN_IF_ERROR(CheckOutput(output, rules));
  if (absl::EndsWith(output, ".h")) TUNE_RETURN_IF_ERROR(CheckOutput(WisdomPath(output), rules));
  if (target == v1::CPU) return absl::OkStatus();
  const std::string device = DeviceFilePath(output, 0);
  TUNE_RETURN_IF_ERROR(CheckOutput(device, rules));
  return CheckOutput(absl::StrCat(absl::StripSuffix(device, ".cu"), ".h"), rules);
}

absl::Status WriteTunedFiles(const TunedOutput& tuned, const std::string& output, OutputRules rules) {
  rules.program = &tuned.program;
  std::vector<OutputFile> files = {{output, tuned.text}};
  for (const DeviceFile& file : tuned.device_files) {
    files.push_back({file.path, file.text});
    if (!file.header.empty()) files.push_back({file.header_path, file.header});
  }
  if (!tuned.wisdom.empty()) files.push_back({WisdomPath(output), tuned.wisdom});
  return WriteOutputs(files, rules);
}

std::vector<std::string> DeviceObjects(const TunedOutput& tuned) {
  std::vector<std::string> objects;
  for (const DeviceFile& file : tuned.device_files) objects.push_back(file.path + ".o");
  return objects;
}

std::vector<std::string> DeviceBuildCommands(const TunedOutput& tuned) {
  std::vector<std::string> commands;
  for (const DeviceFile& file : tuned.device_files) {
    std::vector<std::string> words = file.flags;
    words.insert(words.end(), {file.path, "-o", file.path + ".o"});
    commands.push_back(
        absl::StrCat(NvccCommand(file.architecture, file.rounding), " ", JoinShellWords(words)));
  }
  return commands;
}

std::string LeftOutText(const TunedOutput& tuned) {
  std::string text;
  for (const std::string& line : tuned.not_faster)
    absl::StrAppend(&text, "Left out, without --force: ", line, "\n");
  for (const std::string& line : tuned.slower_twins) absl::StrAppend(&text, "Left out: ", line, "\n");
  return text;
}

std::string DoubtText(const TunedOutput& tuned) {
  std::string text;
  for (const std::string& line : tuned.doubts) absl::StrAppend(&text, "Beware: ", line, "\n");
  return text;
}

std::string WithheldText(const std::vector<std::string>& not_faster, const std::string& command) {
  return absl::StrCat(
      "Nothing is written, since the tuned program is not faster than yours with 95% confidence:\n  ",
      absl::StrJoin(not_faster, "\n  "), "\nKeep the original, or get the file all the same: `", command,
      "`.\n");
}

std::string NamesOfTunedFiles(const TunedOutput& tuned, const std::string& output) {
  std::vector<std::string> names = {output};
  for (const DeviceFile& file : tuned.device_files) {
    names.push_back(file.path);
    if (!file.header.empty()) names.push_back(file.header_path);
  }
  if (!tuned.wisdom.empty()) names.push_back(WisdomPath(output));
  if (names.size() == 1) return output;
  const std::string last = names.back();
  names.pop_back();
  return absl::StrCat(absl::StrJoin(names, ", "), " and ", last);
}

}  // namespace tune
