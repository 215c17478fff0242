#include "server/service/state_service.h"

#include "common/rpc/status.h"
#include "common/rpc/version.h"

namespace tune {

grpc::Status StateServiceImpl::GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest*,
                                             v1::ServerInfo* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->Info());
    response->set_version(kVersion);
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::ListStudies(grpc::ServerContext* context,
                                           const v1::ListStudiesRequest* request,
                                           v1::ListStudiesResponse* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->ListStudies(*request));
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::GetStudy(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                                        v1::Study* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->GetStudy(request->study_id()));
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::WatchStudy(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                                          grpc::ServerWriter<v1::Study>* writer) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    return coordinator_->Watch(
        request->study_id(), [&](const v1::Study& study) { return writer->Write(study); },
        [&] { return context->IsCancelled(); });
  }());
}

grpc::Status StateServiceImpl::ListCandidates(grpc::ServerContext* context,
                                              const v1::ListCandidatesRequest* request,
                                              v1::ListCandidatesResponse* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->ListCandidates(*request));
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::GetCandidate(grpc::ServerContext* context,
                                            const v1::GetCandidateRequest* request, v1::Candidate* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->GetCandidate(request->study_id(), request->index()));
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::GetStudySpec(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                                            v1::StudySpec* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->GetSpec(request->study_id()));
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::Explain(grpc::ServerContext* context, const v1::ExplainRequest* request,
                                       v1::Explanation* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    TUNE_ASSIGN_OR_RETURN(*response, coordinator_->Explain(*request));
    return absl::OkStatus();
  }());
}

grpc::Status StateServiceImpl::ListWorkers(grpc::ServerContext* context, const v1::ListWorkersRequest*,
                                           v1::ListWorkersResponse* response) {
  return ToGrpc([&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(verifier_->Check(*context));
    for (v1::WorkerView& worker : coordinator_->ListWorkers()) *response->add_workers() = std::move(worker);
    return absl::OkStatus();
  }());
}

}  // namespace tune
