// gRPC adaptor of the read-only views.
#pragma once

#include "common/rpc/credentials.h"
#include "server/study/coordinator.h"
#include "tune/v1/state_service.grpc.pb.h"

namespace tune {

// `coordinator` and `verifier` are not owned. Thread safe.
class StateServiceImpl final : public v1::StateService::Service {
 public:
  StateServiceImpl(Coordinator* coordinator, const TokenVerifier* verifier)
      : coordinator_(coordinator), verifier_(verifier) {}

  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest* request,
                             v1::ServerInfo* response) override;
  grpc::Status ListStudies(grpc::ServerContext* context, const v1::ListStudiesRequest* request,
                           v1::ListStudiesResponse* response) override;
  grpc::Status GetStudy(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                        v1::Study* response) override;
  grpc::Status WatchStudy(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                          grpc::ServerWriter<v1::Study>* writer) override;
  grpc::Status ListCandidates(grpc::ServerContext* context, const v1::ListCandidatesRequest* request,
                              v1::ListCandidatesResponse* response) override;
  grpc::Status GetCandidate(grpc::ServerContext* context, const v1::GetCandidateRequest* request,
                            v1::Candidate* response) override;
  grpc::Status GetStudySpec(grpc::ServerContext* context, const v1::GetStudyRequest* request,
                            v1::StudySpec* response) override;
  grpc::Status Explain(grpc::ServerContext* context, const v1::ExplainRequest* request,
                       v1::Explanation* response) override;
  grpc::Status ListWorkers(grpc::ServerContext* context, const v1::ListWorkersRequest* request,
                           v1::ListWorkersResponse* response) override;

 private:
  Coordinator* coordinator_;
  const TokenVerifier* verifier_;
};

}  // namespace tune
