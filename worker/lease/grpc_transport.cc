#include "worker/lease/grpc_transport.h"

#include <chrono>
#include <utility>

#include "absl/time/clock.h"
#include "common/rpc/channel.h"
#include "common/rpc/message_parts.h"
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
  const auto reader = stub_->GetStudySetup(&context, request);
  v1::StudySetup setup;
  const absl::Status read =
      ReadInParts([&](v1::FilePart* part) { return reader->Read(part); }, kMaxMessageBytes, &setup);
  if (absl::IsResourceExhausted(read)) context.TryCancel();  // there is more, which nobody wants
  const grpc::Status status = reader->Finish();
  TUNE_RETURN_IF_ERROR(absl::IsResourceExhausted(read) ? read : FromGrpc(status));
  TUNE_RETURN_IF_ERROR(read);
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
