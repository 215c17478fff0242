// Transport over gRPC.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "tune/v1/worker_service.grpc.pb.h"
#include "worker/lease/transport.h"

namespace tune {

class GrpcTransport : public Transport {
 public:
  explicit GrpcTransport(std::shared_ptr<grpc::Channel> channel)
      : stub_(v1::WorkerService::NewStub(std::move(channel))) {}

  absl::StatusOr<v1::SynchronizeResponse> Synchronize(const v1::SynchronizeRequest& request,
                                                      absl::Duration limit) override;
  absl::StatusOr<v1::StudySetup> GetStudySetup(const std::string& study_id) override;
  void Interrupt() override;

 private:
  const std::unique_ptr<v1::WorkerService::Stub> stub_;
  absl::Mutex mutex_;
  grpc::ClientContext* call_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the Synchronize on its way
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;             // the next one is to be cancelled
};

}  // namespace tune
