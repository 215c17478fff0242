#include "server/service/wire_call.h"

#include <grpcpp/server_context.h>

#include <utility>

#include "absl/synchronization/notification.h"
#include "common/rpc/status.h"

namespace tune {
namespace {

constexpr absl::Duration kLongestSilence = absl::Minutes(1);

// Waits for what the caller has a part in.
void Await(const absl::Notification& done, grpc::CallbackServerContext* context) {
  if (done.WaitForNotificationWithTimeout(kLongestSilence)) return;
  context->TryCancel();
  done.WaitForNotification();
}

}  // namespace

void WireCall::Read(std::function<void(grpc::ByteBuffer*)> then) {
  after_read_ = std::move(then);
  read_.Clear();
  StartRead(&read_);
}

void WireCall::Write(grpc::ByteBuffer message, std::function<void(bool)> then) {
  after_write_ = std::move(then);
  written_ = std::move(message);
  StartWrite(&written_);
}

bool WireCall::ReadNow(grpc::ByteBuffer* message) {
  absl::Notification done;
  bool found = false;
  Read([&](grpc::ByteBuffer* bytes) {
    found = bytes != nullptr;
    if (found) message->Swap(bytes);
    done.Notify();
  });
  Await(done, context_);
  return found;
}

bool WireCall::WriteNow(grpc::ByteBuffer message) {
  absl::Notification done;
  bool sent = false;
  Write(std::move(message), [&](bool ok) {
    sent = ok;
    done.Notify();
  });
  Await(done, context_);
  return sent;
}

void WireCall::Answer(grpc::ByteBuffer message) {
  written_ = std::move(message);
  StartWriteAndFinish(&written_, grpc::WriteOptions(), grpc::Status::OK);
}

void WireCall::End(const absl::Status& status) { Finish(ToGrpc(status)); }

bool WireCall::gone() const {
  absl::MutexLock lock(&mutex_);
  return gone_;
}

void WireCall::WhenGone(std::function<void()> then) {
  {
    absl::MutexLock lock(&mutex_);
    if (!gone_) {
      when_gone_ = std::move(then);
      return;
    }
  }
  then();
}

void WireCall::OnReadDone(bool ok) { std::exchange(after_read_, nullptr)(ok ? &read_ : nullptr); }

void WireCall::OnWriteDone(bool ok) {
  // The end of the call reports its last message, too.
  if (auto then = std::exchange(after_write_, nullptr); then != nullptr) then(ok);
}

void WireCall::OnDone() {
  const std::function<void()> then = std::move(when_done_);
  delete this;
  if (then != nullptr) then();
}

void WireCall::OnCancel() {
  std::function<void()> then;
  {
    absl::MutexLock lock(&mutex_);
    gone_ = true;
    then = std::exchange(when_gone_, nullptr);
  }
  if (then != nullptr) then();
}

}  // namespace tune
