#include "worker/lease/grpc_transport.h"

#include <chrono>
#include <utility>

#include "absl/time/clock.h"
#include "common/rpc/status.h"

namespace tune {
namespace {

constexpr absl::Duration kSetupLimit = absl::Seconds(60);

}  // namespace

absl::StatusOr<v1::SynchronizeResponse> GrpcTransport::Synchronize(const v1::SynchronizeRequest& request,
                                                                   absl::Duration limit) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + limit));
  {
    absl::MutexLock lock(&mutex_);
    if (std::exchange(interrupted_, false)) return absl::CancelledError("interrupted");
    call_ = &context;
  }
  v1::SynchronizeResponse response;
  const grpc::Status status = stub_->Synchronize(&context, request, &response);
  {
    absl::MutexLock lock(&mutex_);
    call_ = nullptr;
  }
  if (!status.ok()) return FromGrpc(status);
  return response;
}

absl::StatusOr<v1::StudySetup> GrpcTransport::GetStudySetup(const std::string& study_id) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + kSetupLimit));
  v1::GetStudySetupRequest request;
  request.set_study_id(study_id);
  v1::StudySetup setup;
  const grpc::Status status = stub_->GetStudySetup(&context, request, &setup);
  if (!status.ok()) return FromGrpc(status);
  return setup;
}

void GrpcTransport::Interrupt() {
  absl::MutexLock lock(&mutex_);
  if (call_ != nullptr) {
    call_->TryCancel();
  } else {
    interrupted_ = true;
  }
}

}  // namespace tune
