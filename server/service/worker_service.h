// gRPC adaptor of the workers' protocol.
#pragma once

#include "common/rpc/credentials.h"
#include "server/study/coordinator.h"
#include "tune/v1/worker_service.grpc.pb.h"

namespace tune {

// `coordinator` and `verifier` are not owned. Thread safe.
class WorkerServiceImpl final : public v1::WorkerService::Service {
 public:
  WorkerServiceImpl(Coordinator* coordinator, const TokenVerifier* verifier)
      : coordinator_(coordinator), verifier_(verifier) {}

  // INVALID_ARGUMENT: the request is malformed. FAILED_PRECONDITION: the worker's version does not go with
  // the server's, or another process uses its name; it should end and say so.
  grpc::Status Synchronize(grpc::ServerContext* context, const v1::SynchronizeRequest* request,
                           v1::SynchronizeResponse* response) override;
  grpc::Status GetStudySetup(grpc::ServerContext* context, const v1::GetStudySetupRequest* request,
                             v1::StudySetup* response) override;

 private:
  Coordinator* coordinator_;
  const TokenVerifier* verifier_;
};

}  // namespace tune
