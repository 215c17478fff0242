#include "client/cli/tuned_kernels.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/exchange/wisdom.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/objective.h"
#include "common/kernel_definition/configuration_reader.h"
#include "common/tuned/kernel_sizes.h"
#include "common/tuned/tuned_file.h"
#include "common/tuned/tuned_kernel.h"

namespace tune {
namespace {

std::string SourceOf(const v1::StudySpec& spec) {
  for (const v1::SourceFile& file : spec.program().files()) {
    if (file.path() == spec.kernel().file()) return file.content();
  }
  return "";
}

// What must be equal: all of the definition but its sizes.
std::string WithoutSizes(v1::KernelDefinition definition) {
  for (v1::ProblemSize& size : *definition.mutable_problem()) size.clear_size();
  return definition.SerializeAsString();
}

absl::Status Differ(const TunedStudy& first, const TunedStudy& other, absl::string_view how) {
  return absl::InvalidArgumentError(absl::StrCat(first.study.id(), " and ", other.study.id(), " ", how));
}

v1::ArchivedStudy AsArchive(const TunedStudy& study) {
  v1::ArchivedStudy archived;
  *archived.mutable_study() = study.study;
  *archived.mutable_spec() = study.spec;
  v1::Candidate* const best = archived.add_candidates()->mutable_candidate();
  best->set_index(study.study.best_index());
  *best->mutable_configuration() = study.configuration;
  return archived;
}

// The sizes of several studies; of one study a single empty one.
absl::StatusOr<std::vector<KernelSize>> SizesOfStudies(const std::vector<TunedStudy>& studies) {
  if (studies.size() == 1) return std::vector<KernelSize>(1);
  std::vector<const v1::KernelDefinition*> definitions;
  for (const TunedStudy& study : studies) definitions.push_back(&study.spec.kernel());
  return FindKernelSizes(definitions);
}

std::string PrintHeader(const TunedStudy& study) {
  TunedFileHeader header = HeaderOf(study);
  if (TargetOf(study.spec.kernel()) == v1::CPU) header.compile_flags = MeasuredFlags(study.spec.program());
  for (const std::string& option : study.spec.kernel().compiler_options())
    absl::StrAppend(&header.compile_flags, " ", option);
  return PrintTunedHeader(study.spec.kernel().file(), study.code, header);
}

std::string CommentOf(const TunedStudy& study, const std::string& command) {
  const std::string file = study.spec.kernel().file();
  return absl::StrCat("// Kernels of ", file.substr(file.rfind('/') + 1), ", tuned by tunectl, study ",
                      study.study.id(), ", for ", study.study.device().model(), ".\n// ", command, "\n");
}

// A file with the kernels and what launches them, at one size.
absl::Status AddKernelFile(const TunedStudy& study, const std::string& path, const std::string& tag,
                           TunedOutput* tuned) {
  const v1::KernelDefinition& definition = study.spec.kernel();
  TUNE_ASSIGN_OR_RETURN(const ConfigurationReader reader, ConfigurationReader::Make(definition));
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration configuration, reader.Read(study.configuration));
  DeviceFile& file = tuned->device_files.emplace_back();
  file.architecture = ArchitectureOf(study.study.device());
  file.path = path;
  file.flags = TunedKernelFlags(definition, study.spec.program());
  TUNE_ASSIGN_OR_RETURN(const std::string text,
                        PrintTunedKernelFile(definition, configuration, SourceOf(study.spec),
                                             CommentOf(study, DeviceBuildCommands(*tuned).back()), tag));
  file.text = WithMark(text);
  return absl::OkStatus();
}

absl::Status AddKernelFiles(const std::vector<TunedStudy>& studies, const std::vector<KernelSize>& sizes,
                            const std::string& output, TunedOutput* tuned) {
  const v1::KernelDefinition& definition = studies[0].spec.kernel();
  const std::string path =
      DeviceFilePath(output.empty() ? DefaultOutput(definition.file(), studies[0].spec) : output, 0);
  if (studies.size() == 1) {
    tuned->launch_function = TunedKernelDeclaration(definition);
    return AddKernelFile(studies[0], path, "", tuned);
  }
  for (size_t i = 0; i < studies.size(); ++i) {
    const std::string sized = absl::StrCat(absl::StripSuffix(path, ".cu"), ".", sizes[i].tag, ".cu");
    TUNE_RETURN_IF_ERROR(AddKernelFile(studies[i], sized, sizes[i].tag, tuned));
  }
  DeviceFile& file = tuned->device_files.emplace_back();
  file.architecture = ArchitectureOf(studies[0].study.device());
  file.path = path;
  file.text =
      WithMark(PrintKernelDispatch(definition, sizes,
                                   absl::StrCat("// Written by tunectl: kernels at ", sizes.size(),
                                                " sizes.\n// ", DeviceBuildCommands(*tuned).back(), "\n")));
  tuned->launch_function = KernelDispatchDeclaration(definition, sizes);
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSameKernels(const TunedStudy& first, const TunedStudy& other) {
  if (!first.spec.has_kernel() || !other.spec.has_kernel())
    return Differ(first, other,
                  "are not both of hand-written kernels, whose result is a header of its own; fetch each by "
                  "itself");
  if (WithoutSizes(first.spec.kernel()) != WithoutSizes(other.spec.kernel()) ||
      SourceOf(first.spec) != SourceOf(other.spec))
    return Differ(first, other, "are not of the same kernels in the same version; fetch them one by one");
  if (first.study.device().model() != other.study.device().model())
    return Differ(
        first, other,
        absl::StrCat("are for ", first.study.device().model(), " and ", other.study.device().model(),
                     "; fetch them one by one, or write `tunectl ", "export ", first.study.id(), " ",
                     other.study.id(), " --format wisdom`, which has all devices"));
  if (ObjectiveOf(first.study.search()) != ObjectiveOf(other.study.search()))
    return Differ(first, other, "are tuned for different objectives; fetch them one by one");
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TunedStudy>> BestOfEachSize(std::vector<TunedStudy> studies,
                                                       std::vector<std::string>* left_out) {
  std::vector<TunedStudy> taken;
  for (TunedStudy& study : studies) {
    bool is_new = true;
    for (TunedStudy& other : taken) {
      if (FindKernelSizes({&study.spec.kernel(), &other.spec.kernel()}).ok()) continue;
      is_new = false;
      const auto cost = [](const TunedStudy& one) {
        return CostOf(one.study.search(), one.study.best(), one.study.best_metrics());
      };
      if (cost(study) < cost(other)) std::swap(study, other);
      left_out->push_back(
          absl::StrCat(study.study.id(), ": ", other.study.id(), " is better at the same size"));
      break;
    }
    if (is_new) taken.push_back(std::move(study));
  }
  return taken;
}

absl::StatusOr<TunedOutput> PrintTunedKernels(const std::vector<TunedStudy>& studies,
                                              const std::string& output) {
  const v1::KernelDefinition& definition = studies[0].spec.kernel();
  TunedOutput tuned;
  tuned.program = studies[0].spec.program();
  tuned.kernel_file = definition.file();
  TUNE_ASSIGN_OR_RETURN(const std::vector<KernelSize> sizes, SizesOfStudies(studies));
  std::vector<std::string> headers;
  std::vector<v1::ArchivedStudy> archived;
  for (const TunedStudy& study : studies) {
    headers.push_back(PrintHeader(study));
    archived.push_back(AsArchive(study));
  }
  const std::string name = output.empty() ? DefaultOutput(definition.file(), studies[0].spec) : output;
  if (studies.size() > 1) {
    tuned.text = WithMark(PrintSizedHeaders(definition, sizes, headers, name.substr(name.rfind('/') + 1)));
    for (const KernelSize& size : sizes)
      tuned.size_macros.push_back(absl::StrJoin(SizeMacrosOf(definition, size), " "));
  } else {
    tuned.text = WithMark(headers[0]);
  }
  TUNE_ASSIGN_OR_RETURN(tuned.wisdom, WriteWisdom(archived));
  if (TargetOf(definition) == v1::CUDA) TUNE_RETURN_IF_ERROR(AddKernelFiles(studies, sizes, output, &tuned));
  return tuned;
}

std::string WisdomPath(const std::string& output) {
  return absl::StrCat(absl::StripSuffix(output, ".h"), ".wisdom");
}

}  // namespace tune
