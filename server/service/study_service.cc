#include "server/service/study_service.h"

#include "common/rpc/status.h"

namespace tune {
namespace {

constexpr size_t kMaxRequestId = 200;

absl::Status CheckSubmit(const v1::SubmitRequest& request) {
  if (request.request_id().size() > kMaxRequestId) {
    return absl::InvalidArgumentError(
        absl::StrCat("request_id has ", request.request_id().size(), " bytes; at most ", kMaxRequestId));
  }
  if (!request.has_spec()) return absl::InvalidArgumentError("spec: it is missing");
  return absl::OkStatus();
}

}  // namespace

grpc::Status StudyServiceImpl::Submit(grpc::ServerContext* context, const v1::SubmitRequest* request,
                                      v1::SubmitResponse* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_RETURN_IF_ERROR(CheckSubmit(*request));
    TUNE_ASSIGN_OR_RETURN(*response->mutable_study(),
                          coordinator_->Submit(request->spec(), request->request_id()));
    return absl::OkStatus();
  }());
}

grpc::Status StudyServiceImpl::Cancel(grpc::ServerContext* context, const v1::CancelRequest* request,
                                      v1::CancelResponse* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response->mutable_study(), coordinator_->Cancel(request->study_id()));
    return absl::OkStatus();
  }());
}

grpc::Status StudyServiceImpl::Replay(grpc::ServerContext* context, const v1::ReplayRequest* request,
                                      v1::ReplayResponse* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(const int64_t index, coordinator_->Replay(*request));
    response->set_candidate_index(index);
    return absl::OkStatus();
  }());
}

}  // namespace tune
