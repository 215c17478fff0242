// One CUDA file for all sizes and GPUs.
#include "client/cli/case_files.h"
#include "client/exchange/case_formats.h"
#include "client/report/case_text.h"
#include "common/evaluation/compile_flags.h"
#include "common/exchange/gzip.h"
#include "common/json/case_json.h"

namespace tune {
namespace {

// The regions with sizes as arguments.
absl::StatusOr<TunedOutput> PrintCases(const v1::Extraction& extraction,
                                       const v1::CaseDiscussions& discussions,
                                       const GenerateOptions& options) {
  std::vector<TunedStudy> studies;
  for (int i = 0; i < discussions.regions_size(); ++i) {
    const v1::CaseDiscussion& discussion = discussions.regions(i);
    v1::StudySpec spec;
    *spec.mutable_scop() = extraction.scops(options.region > 0 ? options.region - 1 : i);
    *spec.mutable_program() = extraction.program();
    spec.set_rounding(options.rounding);
    studies.push_back(TunedStudyOfCases(
        spec, discussion,
        options.architecture.empty() ? "any GPU" : "GPUs, with registers as on " + options.architecture));
  }
  TUNE_ASSIGN_OR_RETURN(TunedOutput tuned, PrintTuned(studies, options.OutputPath()));
  tuned.openmp = options.shares();
  return tuned;
}

}  // namespace

absl::StatusOr<CaseFiles> WriteCaseFiles(Session& session, GenerateOptions options) {
  if (!options.formats.empty()) {
    TUNE_ASSIGN_OR_RETURN(const std::string text, ReadGzipFile(options.formats));
    absl::StatusOr<v1::CaseFormats> formats = ParseCaseFormats(text);
    if (!formats.ok()) return Annotate(formats.status(), options.formats);
    options.case_formats = *std::move(formats);
  }
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.program.Request());
  TUNE_ASSIGN_OR_RETURN(v1::Extraction extraction, ReadProgram(request));
  if (options.rounding == v1::ROUNDING_EXACT)
    AddCompileFlags({"-ffp-contract=off"}, extraction.mutable_program());
  OutputRules rules = {options.program.Inputs(), &extraction.program(), options.force};
  rules.inputs.push_back(options.formats);
  TUNE_RETURN_IF_ERROR(CheckTunedOutput(options.OutputPath(), v1::CUDA, rules));
  CaseFiles files;
  TUNE_ASSIGN_OR_RETURN(files.discussions,
                        GeneratedMessage<v1::CaseDiscussions>(session, extraction, options));
  TUNE_ASSIGN_OR_RETURN(files.tuned, PrintCases(extraction, files.discussions, options));
  TUNE_RETURN_IF_ERROR(WriteTunedFiles(files.tuned, options.OutputPath(), rules));
  return files;
}

Json CaseFilesJson(const CaseFiles& files, const GenerateOptions& options) {
  Json json = {{"file", options.OutputPath()}, {"device_files", Json::array()}, {"regions", Json::array()}};
  for (const DeviceFile& file : files.tuned.device_files) json["device_files"].push_back(file.path);
  for (const v1::CaseDiscussion& region : files.discussions.regions())
    json["regions"].push_back(CaseDiscussionJson(region));
  return json;
}

absl::StatusOr<int> RunCases(Session& session, const GenerateOptions& options) {
  const absl::StatusOr<CaseFiles> files = WriteCaseFiles(session, options);
  if (absl::IsCancelled(files.status())) return Interrupted(session);
  TUNE_RETURN_IF_ERROR(files.status());
  if (session.options.json) {
    session.out() << PrintJson(CaseFilesJson(*files, options));
    return kExitOk;
  }
  for (const v1::CaseDiscussion& region : files->discussions.regions())
    session.out() << CaseDiscussionText(region);
  TUNE_ASSIGN_OR_RETURN(const std::string how, HowToBuild(session, files->tuned, options));
  session.out() << how;
  return kExitOk;
}

}  // namespace tune
