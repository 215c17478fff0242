// One CUDA file for all sizes and GPUs.
#include "client/cli/case_text.h"
#include "client/cli/generate_options.h"
#include "client/report/json.h"
#include "common/evaluation/compile_flags.h"
#include "tune/v1/cases.pb.h"

namespace tune {
namespace {

// The regions with sizes as arguments.
absl::StatusOr<TunedOutput> PrintCases(const v1::Extraction& extraction,
                                       const v1::CaseDiscussions& discussions,
                                       const GenerateOptions& options) {
  std::vector<TunedStudy> studies;
  for (int i = 0; i < discussions.regions_size(); ++i) {
    const v1::CaseDiscussion& discussion = discussions.regions(i);
    TunedStudy& study = studies.emplace_back();
    *study.spec.mutable_scop() = extraction.scops(options.region > 0 ? options.region - 1 : i);
    *study.spec.mutable_program() = extraction.program();
    study.spec.set_exact(options.exact);
    study.study.mutable_device()->set_target(v1::CUDA);
    study.study.mutable_device()->set_model(
        options.architecture.empty() ? "any GPU" : "GPUs, with registers as on " + options.architecture);
    study.code = discussion.code();
    study.device_file = discussion.device_file();
    study.size_arguments.emplace();
    study.after_original = discussion.after_original();
    study.size_arguments->requirement = discussion.requirement();
    for (const auto& [array, extent] : discussion.first_extents())
      study.size_arguments->first_extents[array] = extent;
  }
  return PrintTuned(studies, options.OutputPath());
}

}  // namespace

absl::StatusOr<int> RunCases(Session& session, const GenerateOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.program.Request());
  TUNE_ASSIGN_OR_RETURN(v1::Extraction extraction, ReadProgram(request));
  if (options.exact) AddCompileFlags({"-ffp-contract=off"}, extraction.mutable_program());
  const OutputRules rules = {options.program.Inputs(), &extraction.program(), options.force};
  TUNE_RETURN_IF_ERROR(CheckTunedOutput(options.OutputPath(), v1::CUDA, rules));
  const auto discussions = GeneratedMessage<v1::CaseDiscussions>(session, extraction, options);
  if (absl::IsCancelled(discussions.status())) return Interrupted(session);
  TUNE_RETURN_IF_ERROR(discussions.status());
  TUNE_ASSIGN_OR_RETURN(const TunedOutput tuned, PrintCases(extraction, *discussions, options));
  TUNE_RETURN_IF_ERROR(WriteTunedFiles(tuned, options.OutputPath(), rules));
  if (session.options.json) {
    Json json = {{"file", options.OutputPath()}, {"device_files", Json::array()}, {"regions", Json::array()}};
    for (const DeviceFile& file : tuned.device_files) json["device_files"].push_back(file.path);
    for (const v1::CaseDiscussion& region : discussions->regions())
      json["regions"].push_back(CaseDiscussionJson(region));
    session.out() << PrintJson(json);
    return kExitOk;
  }
  for (const v1::CaseDiscussion& region : discussions->regions()) session.out() << CaseDiscussionText(region);
  TUNE_ASSIGN_OR_RETURN(const std::string how, HowToBuild(session, tuned, options));
  session.out() << how;
  return kExitOk;
}

}  // namespace tune
