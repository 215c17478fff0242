#include "server/service/study_service.h"

#include "server/access/permissions.h"

namespace tune {
namespace {

constexpr size_t kMaxRequestId = 200;
constexpr int64_t kMostSubmitBytes = int64_t{80} << 20;  // a program travels in it

absl::Status CheckSubmit(const v1::SubmitRequest& request) {
  if (request.request_id().size() > kMaxRequestId) {
    return absl::InvalidArgumentError(
        absl::StrCat("request_id has ", request.request_id().size(), " bytes; at most ", kMaxRequestId));
  }
  if (!request.has_spec()) return absl::InvalidArgumentError("spec: it is missing");
  return absl::OkStatus();
}

}  // namespace

StudyServiceImpl::StudyServiceImpl(const Authority* authority, Coordinator* coordinator)
    : GuardedService(authority, v1::SubmitRequest::descriptor()->file(), "StudyService"),
      coordinator_(coordinator) {
  Add<v1::SubmitRequest, v1::SubmitResponse>(
      "Submit",
      [this](const Call& call, auto& request, auto* response) { return Submit(call, request, response); },
      kMostSubmitBytes);
  Add<v1::CancelRequest, v1::CancelResponse>(
      "Cancel",
      [this](const Call& call, auto& request, auto* response) { return Cancel(call, request, response); });
  Add<v1::ReplayRequest, v1::ReplayResponse>(
      "Replay",
      [this](const Call& call, auto& request, auto* response) { return Replay(call, request, response); });
}

absl::Status StudyServiceImpl::Submit(const Call& call, v1::SubmitRequest& request,
                                      v1::SubmitResponse* response) {
  TUNE_RETURN_IF_ERROR(CheckSubmit(request));
  request.mutable_spec()->set_owner(call.identity.name);
  // A request id is its owner's: nobody gets the study of somebody else's.
  const std::string id =
      request.request_id().empty() ? "" : absl::StrCat(call.identity.name, " ", request.request_id());
  TUNE_ASSIGN_OR_RETURN(*response->mutable_study(), coordinator_->Submit(request.spec(), id));
  return absl::OkStatus();
}

absl::Status StudyServiceImpl::Cancel(const Call& call, const v1::CancelRequest& request,
                                      v1::CancelResponse* response) {
  TUNE_RETURN_IF_ERROR(CheckChange(call, request.study_id()));
  TUNE_ASSIGN_OR_RETURN(*response->mutable_study(), coordinator_->Cancel(request.study_id()));
  return absl::OkStatus();
}

absl::Status StudyServiceImpl::Replay(const Call& call, const v1::ReplayRequest& request,
                                      v1::ReplayResponse* response) {
  TUNE_RETURN_IF_ERROR(CheckChange(call, request.study_id()));
  TUNE_ASSIGN_OR_RETURN(const int64_t index, coordinator_->Replay(request));
  response->set_candidate_index(index);
  return absl::OkStatus();
}

absl::Status StudyServiceImpl::CheckChange(const Call& call, const std::string& study_id) const {
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, coordinator_->GetStudy(study_id));
  return CheckOwner(call.identity, study.id(), study.owner());
}

}  // namespace tune
