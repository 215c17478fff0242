// gRPC adaptors over the coordinator: token check, argument check, status conversion, nothing else.
#pragma once

#include "common/rpc/credentials.h"
#include "server/study/coordinator.h"
#include "tune/v1/study_service.grpc.pb.h"

namespace tune {

// `coordinator` and `verifier` are not owned. Thread safe.
class StudyServiceImpl final : public v1::StudyService::Service {
 public:
  StudyServiceImpl(Coordinator* coordinator, const TokenVerifier* verifier)
      : coordinator_(coordinator), verifier_(verifier) {}

  grpc::Status Submit(grpc::ServerContext* context, const v1::SubmitRequest* request,
                      v1::SubmitResponse* response) override;
  grpc::Status Cancel(grpc::ServerContext* context, const v1::CancelRequest* request,
                      v1::CancelResponse* response) override;
  grpc::Status Replay(grpc::ServerContext* context, const v1::ReplayRequest* request,
                      v1::ReplayResponse* response) override;

 private:
  Coordinator* coordinator_;
  const TokenVerifier* verifier_;
};

}  // namespace tune
