#include "server/service/study_service.h"

#include <filesystem>

#include "server/access/permissions.h"
#include "server/study/study_spec.h"

namespace tune {
namespace {

constexpr size_t kMaxRequestId = 200;
// A program travels in it, with what CheckCeilings allows for the rest.
constexpr int64_t kMostSubmitBytes = kMaxProgramBytes + (int64_t{8} << 20);
constexpr int64_t kMostSubmitMemory = kMaxProgramBytes + kMostMessageMemory;
constexpr int64_t kLargeBytes = 1 << 20;

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
  AddReceiver<v1::FilePart, v1::SubmitResponse>(
      "Submit", [this](const Call& call, const Receive<v1::FilePart>& receive, auto* response) {
        return Submit(call, receive, response);
      });
  Add<v1::CancelRequest, v1::CancelResponse>(
      "Cancel", Work::kShort,
      [this](const Call& call, auto& request, auto* response) { return Cancel(call, request, response); });
  Add<v1::ReplayRequest, v1::ReplayResponse>(
      "Replay", Work::kLong,
      [this](const Call& call, auto& request, auto* response) { return Replay(call, request, response); });
}

absl::Status StudyServiceImpl::Submit(const Call& call, const Receive<v1::FilePart>& receive,
                                      v1::SubmitResponse* response) {
  const std::string database = coordinator_->store().Path();
  const std::string folder =
      database.empty() ? "" : std::filesystem::absolute(database).parent_path().string();
  TUNE_ASSIGN_OR_RETURN(Spool spool, Spool::Make(folder, kMostSubmitBytes));
  v1::FilePart part;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(const bool more, receive(&part));
    if (!more) break;
    TUNE_RETURN_IF_ERROR(spool.Add(part.data()));
  }
  if (call.wire->gone()) return CallerGone();  // what came is a part of it
  if (spool.bytes() < kLargeBytes) return SubmitSpooled(call, spool, response);
  absl::MutexLock lock(&large_);
  return SubmitSpooled(call, spool, response);
}

absl::Status StudyServiceImpl::SubmitSpooled(const Call& call, const Spool& spool,
                                             v1::SubmitResponse* response) {
  v1::SubmitRequest request;
  TUNE_RETURN_IF_ERROR(spool.Parse(kMostSubmitMemory, &request));
  TUNE_RETURN_IF_ERROR(CheckSubmit(request));
  request.mutable_spec()->set_owner(call.identity.name);
  // A request id is its owner's: nobody gets the study of somebody else's.
  const std::string id =
      request.request_id().empty() ? "" : absl::StrCat(call.identity.name, " ", request.request_id());
  TUNE_ASSIGN_OR_RETURN(*response->mutable_study(), coordinator_->Submit(std::move(*request.mutable_spec()),
                                                                         id, ChargeOf(call.identity)));
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
