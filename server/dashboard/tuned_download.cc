#include "server/dashboard/tuned_download.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "common/base/source_language.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/code_doubt.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/outcome.h"
#include "common/kernel_definition/configuration_reader.h"
#include "common/tuned/device_interface.h"
#include "common/tuned/tuned_file.h"
#include "common/tuned/tuned_kernel.h"
#include "server/study/study_spec.h"

namespace tune {
namespace {

// Letters, digits, '-', '_' of the file's name without folder and ending: fit for a header and a shell.
std::string PlainStem(absl::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  path = path.substr(0, path.rfind('.'));
  std::string stem;
  for (const char c : path.substr(0, 80)) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') stem += c;
  }
  return stem.empty() ? "region" : stem;
}

TunedFileHeader HeaderOf(const v1::Study& study, const v1::StudySpec& spec, const v1::Evaluation& best,
                         const std::string& device_name) {
  TunedFileHeader header;
  header.study = study.id();
  header.device = study.device().model();
  header.doubt = CodeDoubt(study, best);
  SetGains(study, &header);
  if (device_name.empty()) {
    header.compile_flags = MeasuredFlags(spec.program());
  } else {
    header.device_file = device_name;
    header.architecture = ArchitectureOf(study.device());
    header.rounding = spec.rounding();
    header.shared = study.generator() == kSharedGenerator;
  }
  return header;
}

}  // namespace

absl::StatusOr<v1::Evaluation> EvaluationWithCode(const Coordinator& coordinator, const std::string& study_id,
                                                  int64_t index) {
  while (true) {
    TUNE_ASSIGN_OR_RETURN(v1::Candidate candidate, coordinator.GetCandidate(study_id, index));
    const int64_t original = candidate.evaluation().duplicate_of_plus_one() - 1;
    // A copy is always later than what it copies.
    if (!candidate.evaluation().code().empty() || original < 0 || original >= index) {
      return std::move(*candidate.mutable_evaluation());
    }
    index = original;
  }
}

namespace {

// Of kernels in CUDA.
absl::Status AddKernelFile(const Coordinator& coordinator, const v1::Study& study, const v1::StudySpec& spec,
                           const std::string& stem, TunedDownload* download) {
  if (TargetOf(spec.kernel()) != v1::CUDA) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate best, coordinator.GetCandidate(study.id(), study.best_index()));
  TUNE_ASSIGN_OR_RETURN(const ConfigurationReader reader, ConfigurationReader::Make(spec.kernel()));
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration configuration, reader.Read(best.configuration()));
  download->device_name = stem + ".tuned.cu";
  std::string source;
  for (const v1::SourceFile& file : spec.program().files()) {
    if (file.path() == spec.kernel().file()) source = file.content();
  }
  const std::string comment = absl::StrCat(
      "// Tuned by tunectl, study ", study.id(), "; belongs to ", download->c_name, ".\n// ",
      NvccCommand(ArchitectureOf(study.device()), spec.rounding()), " ",
      absl::StrJoin(TunedKernelFlags(spec.kernel(), spec.program()), " "), " ", download->device_name, "\n");
  TUNE_ASSIGN_OR_RETURN(download->device_text,
                        PrintTunedKernelFile(spec.kernel(), configuration, source, comment));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TunedDownload> MakeTunedDownload(const Coordinator& coordinator, const std::string& study_id) {
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, coordinator.GetStudy(study_id));
  if (study.best_index() < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(study_id, " (", StudyStateName(study.state()),
                     ") has no correct candidate, so there is no tuned file"));
  }
  TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, coordinator.GetSpec(study_id));
  TUNE_ASSIGN_OR_RETURN(const v1::Evaluation best,
                        EvaluationWithCode(coordinator, study_id, study.best_index()));
  if (best.code().empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(study_id, "/", study.best_index(), ": the server has no code of this candidate"));
  }
  TunedDownload download;
  const std::string stem = PlainStem(RegionOf(spec).file());
  if (spec.has_kernel()) {
    download.c_name = stem + ".tuned.h";
    download.c_text = PrintTunedHeader(spec.kernel().file(), best.code(), HeaderOf(study, spec, best, ""));
    TUNE_RETURN_IF_ERROR(AddKernelFile(coordinator, study, spec, stem, &download));
    return download;
  }
  download.c_name = absl::StrCat(stem, ".tuned", ExtensionOfTuned(spec.scop().region().file()));
  if (!best.device_file().empty()) {
    download.device_name = stem + ".tuned.cu";
    download.device_text =
        absl::StrCat("// Tuned by tunectl, study ", study_id, "; belongs to ", download.c_name, ".\n// ",
                     NvccCommand(ArchitectureOf(study.device()), spec.rounding()), " ", download.device_name,
                     "\n", best.device_file());
    if (HasEntryPoints(best.device_file(), spec.scop().name())) {
      download.header_name = stem + ".tuned.h";
      download.header_text = PrintDeviceHeader(spec.scop(), download.device_name);
    }
  }
  TUNE_ASSIGN_OR_RETURN(download.c_text,
                        PrintTunedFile(spec.program(), spec.scop(), study.reference(), best.code(),
                                       HeaderOf(study, spec, best, download.device_name)));
  return download;
}

}  // namespace tune
