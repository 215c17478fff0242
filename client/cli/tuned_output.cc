#include "client/cli/tuned_output.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/submit/shell_words.h"
#include "client/submit/study_request.h"
#include "common/base/file.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/outcome.h"
#include "common/tuned/tuned_file.h"

namespace tune {
namespace {

// What PrintTunedFile's regions point to.
struct FetchedStudy {
  v1::StudySpec spec;
  v1::Study study;
  std::string code, device_file;

  bool on_gpu() const { return !device_file.empty(); }
};

// The evaluation with the candidate's code: its own, or that of the candidate with the same code.
absl::StatusOr<v1::Evaluation> CodeOf(StudyClient& client, const std::string& id, int64_t index) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client.GetCandidate(id, index));
  const v1::Evaluation& evaluation = candidate.evaluation();
  if (!evaluation.code().empty()) return evaluation;
  const int64_t original = evaluation.duplicate_of_plus_one() - 1;
  if (original >= 0 && original < index) return CodeOf(client, id, original);
  return absl::NotFoundError(absl::StrCat(id, "/", index, ": the server has no code of this candidate"));
}

absl::StatusOr<FetchedStudy> FetchStudy(Session& session, StudyClient& client, const std::string& id) {
  FetchedStudy fetched;
  TUNE_ASSIGN_OR_RETURN(fetched.study, client.GetStudy(id));
  if (fetched.study.best_index() < 0) {
    return absl::NotFoundError(absl::StrCat(id, " (", StudyStateName(fetched.study.state()),
                                            ") has no correct candidate, so there is nothing to fetch; `",
                                            session.Hint(absl::StrCat("show ", id, " --candidates")),
                                            "` tells what became of each"));
  }
  if (fetched.study.provenance().format() == "T4") {
    return absl::NotFoundError(absl::StrCat(
        id, " holds results without code, imported from ", fetched.study.provenance().server(),
        ": there is nothing to fetch; `", session.Hint("best " + id), "` prints the configuration"));
  }
  TUNE_ASSIGN_OR_RETURN(fetched.spec, client.GetStudySpec(id));
  TUNE_ASSIGN_OR_RETURN(const v1::Evaluation best, CodeOf(client, id, fetched.study.best_index()));
  fetched.code = best.code();
  fetched.device_file = best.device_file();
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

absl::Status CheckSameFile(const FetchedStudy& first, const FetchedStudy& other) {
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

// The CUDA file of a study, with a comment that says what it belongs to.
DeviceFile MakeDeviceFile(const FetchedStudy& study, const std::string& path, const std::string& output) {
  const std::string architecture = ArchitectureOf(study.study.device());
  const std::string head =
      absl::StrCat("// Tuned by tunectl, study ", study.study.id(), ", for ", study.study.device().model(),
                   "; belongs to ", NameOf(output), ".\n// ", NvccCommand(architecture, study.spec.exact()),
                   " ", NameOf(path), "\n");
  return {path, head + study.device_file, architecture, study.spec.exact()};
}

TunedRegion MakeRegion(const FetchedStudy& study, const DeviceFile* device_file) {
  TunedRegion region = {&study.spec.scop(), &study.study.reference(), study.code, {}};
  region.header.study = study.study.id();
  region.header.device = study.study.device().model();
  region.header.gain_over_sequential = study.study.gain_over_sequential();
  region.header.gain_over_default = study.study.gain_over_default();
  if (device_file == nullptr) {
    region.header.compile_flags = MeasuredFlags(study.spec.program());
  } else {
    region.header.device_file = NameOf(device_file->path);
    region.header.architecture = device_file->architecture;
    region.header.exact = device_file->exact;
  }
  return region;
}

}  // namespace

absl::Status CheckOutputName(const std::string& output) {
  if (!absl::EndsWith(output, ".cu")) return absl::OkStatus();
  return UsageError(absl::StrCat("--output ", output, ": name the C file, such as ",
                                 absl::StripSuffix(output, ".cu"),
                                 ".c; a CUDA file that belongs to it is written beside it as ", output));
}

std::string DeviceFilePath(const std::string& output, int number) {
  const std::string stem(absl::StripSuffix(output, ".c"));
  return number == 0 ? stem + ".cu" : absl::StrCat(stem, ".", number, ".cu");
}

absl::StatusOr<TunedOutput> FetchTuned(Session& session, StudyClient& client,
                                       const std::vector<std::string>& studies, const std::string& output) {
  std::vector<FetchedStudy> fetched;
  for (const std::string& id : studies) {
    TUNE_ASSIGN_OR_RETURN(FetchedStudy study, FetchStudy(session, client, id));
    fetched.push_back(std::move(study));
    TUNE_RETURN_IF_ERROR(CheckSameFile(fetched[0], fetched.back()));
  }
  const std::string c_file =
      output.empty() ? FileStem(fetched[0].spec.scop().region().file()) + ".tuned.c" : output;
  const auto on_gpu = [](const FetchedStudy& study) { return study.on_gpu(); };
  const bool several = std::count_if(fetched.begin(), fetched.end(), on_gpu) > 1;
  TunedOutput tuned;
  std::vector<TunedRegion> regions;
  for (const FetchedStudy& study : fetched) {
    if (study.on_gpu()) {
      const int number = several ? static_cast<int>(tuned.device_files.size()) + 1 : 0;
      tuned.device_files.push_back(MakeDeviceFile(study, DeviceFilePath(c_file, number), c_file));
    }
    tuned.openmp |= !study.on_gpu();
    regions.push_back(MakeRegion(study, study.on_gpu() ? &tuned.device_files.back() : nullptr));
  }
  TUNE_ASSIGN_OR_RETURN(tuned.text, PrintTunedFile(fetched[0].spec.program(), regions));
  tuned.program = fetched[0].spec.program();
  return tuned;
}

absl::Status WriteTunedFiles(const TunedOutput& tuned, const std::string& output) {
  TUNE_RETURN_IF_ERROR(WriteFile(output, tuned.text));
  for (const DeviceFile& file : tuned.device_files) TUNE_RETURN_IF_ERROR(WriteFile(file.path, file.text));
  return absl::OkStatus();
}

std::vector<std::string> DeviceObjects(const TunedOutput& tuned) {
  std::vector<std::string> objects;
  for (const DeviceFile& file : tuned.device_files) objects.push_back(file.path + ".o");
  return objects;
}

std::vector<std::string> DeviceBuildCommands(const TunedOutput& tuned) {
  std::vector<std::string> commands;
  for (const DeviceFile& file : tuned.device_files) {
    commands.push_back(absl::StrCat(NvccCommand(file.architecture, file.exact), " ",
                                    JoinShellWords({file.path, "-o", file.path + ".o"})));
  }
  return commands;
}

std::string NamesOfTunedFiles(const TunedOutput& tuned, const std::string& output) {
  std::vector<std::string> names = {output};
  for (const DeviceFile& file : tuned.device_files) names.push_back(file.path);
  if (names.size() == 1) return output;
  const std::string last = names.back();
  names.pop_back();
  return absl::StrCat(absl::StrJoin(names, ", "), " and ", last);
}

}  // namespace tune
