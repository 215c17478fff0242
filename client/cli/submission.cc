#include "client/cli/submission.h"

#include <filesystem>

#include "client/cli/session.h"
#include "client/kernels/definition_paths.h"
#include "client/kernels/kernel_study.h"
#include "client/kernels/short_form.h"
#include "client/report/waiting_reason.h"
#include "client/report/words.h"
#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// Of a file, of options, which come after what the file says, or of both.
absl::StatusOr<v1::KernelDefinition> ReadDefinition(const std::string& file, const KernelOptions& options) {
  ShortFormReader reader;
  if (IsKernelDefinition(file)) {
    TUNE_ASSIGN_OR_RETURN(const std::string content, tune::ReadFile(file));
    TUNE_RETURN_IF_ERROR(reader.AddLines(content, file));
  } else {
    reader.SetFile(file.substr(file.rfind('/') + 1));
  }
  TUNE_RETURN_IF_ERROR(options.Read(&reader));
  absl::StatusOr<v1::KernelDefinition> definition = reader.Finish();
  if (!definition.ok()) return Annotate(definition.status(), file);
  // Files that options name are seen from where the user is.
  if (!IsKernelDefinition(file)) RebaseFiles("", fs::path(file).parent_path().string(), &*definition);
  return definition;
}

}  // namespace

absl::StatusOr<std::vector<v1::StudySpec>> PrepareStudies(const ProgramOptions& program,
                                                          const StudyOptions& options,
                                                          const KernelOptions& kernel) {
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, program.Request());
  TUNE_ASSIGN_OR_RETURN(StudyWishes wishes, options.Wishes());
  wishes.constants = request.constants;
  TUNE_ASSIGN_OR_RETURN(const std::vector<ProgramSize> sizes, options.Sizes());
  if (!IsKernelDefinition(request.file) && kernel.Has("parameter") && !kernel.Has("kernel")) {
    return UsageError(
        "--parameter says what a hand-written kernel is tuned by, and no --kernel is given; the value of a "
        "size "
        "is --param NAME=N");
  }
  if (IsKernelDefinition(request.file) || kernel.any()) {
    TUNE_ASSIGN_OR_RETURN(const v1::KernelDefinition definition, ReadDefinition(request.file, kernel));
    if (!sizes.empty()) return MakeSizedKernelSpecs(definition, request, wishes, sizes);
    TUNE_ASSIGN_OR_RETURN(v1::StudySpec spec, MakeKernelSpec(definition, request, wishes));
    return std::vector<v1::StudySpec>{std::move(spec)};
  }
  const auto read = [](const FrontEndRequest& sized) { return ReadProgram(sized); };
  if (!sizes.empty()) return MakeSizedSpecs(request, wishes, sizes, read);
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, read(request));
  return MakeStudySpecs(extraction, request.file, wishes);
}

std::vector<v1::StudySpec> ForEveryTarget(const std::vector<v1::StudySpec>& specs,
                                          const std::vector<v1::WorkerView>& workers, std::string* note) {
  const bool gpu = HasDevice(workers, v1::CUDA), host = HasDevice(workers, v1::CPU) || !gpu;
  if (!gpu) *note = "--target auto: only cpu is tried, as no worker offers a GPU";
  if (!host) *note = "--target auto: only cuda is tried, as no worker offers cpu";
  std::vector<v1::StudySpec> all;
  for (const v1::StudySpec& spec : specs) {
    if (spec.has_kernel()) {
      all.push_back(spec);  // its language says where it runs
      continue;
    }
    for (const v1::Target target : {v1::CPU, v1::CUDA}) {
      if (!(target == v1::CPU ? host : gpu)) continue;
      v1::StudySpec& of_target = all.emplace_back(spec);
      of_target.set_target(target);
      if (host && gpu) of_target.set_name(absl::StrCat(spec.name(), " on ", TargetWord(target)));
    }
  }
  return all;
}

absl::StatusOr<std::vector<v1::Study>> SubmitStudies(Session& session, StudyClient& client,
                                                     const std::vector<v1::StudySpec>& specs) {
  std::vector<v1::Study> studies;
  for (const v1::StudySpec& spec : specs) {
    const std::string request_id = NewRequestId();
    // With a private server it is Retry that has the patience.
    const absl::Duration patience =
        session.private_server() == nullptr ? absl::Seconds(10) : absl::ZeroDuration();
    TUNE_ASSIGN_OR_RETURN(v1::Study study,
                          session.Retry([&] { return client.Submit(spec, request_id, patience); }));
    studies.push_back(std::move(study));
  }
  return studies;
}

std::string SubmittedLine(const v1::Study& study, const v1::StudySpec& spec) {
  if (spec.has_kernel()) {
    return absl::StrCat(study.id(), " (", StudyTitle(study), "): kernel ", spec.kernel().kernels(0).name(),
                        " in ", spec.kernel().file());
  }
  const v1::SourceRegion& region = spec.scop().region();
  std::string line = absl::StrCat(study.id(), " (", StudyTitle(study), ")");
  if (!region.file().empty()) {
    absl::StrAppend(&line, ": region of ", region.function(), " in ", region.file(), ", lines ",
                    region.begin_line(), " to ", region.end_line());
  }
  return line;
}

}  // namespace tune
