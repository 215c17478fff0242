// One call on the wire, its messages as bytes.
#pragma once

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/support/byte_buffer.h>

#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/status.h"

namespace tune {

// Belongs to gRPC and goes away some time after its end: exactly one Answer or End is the last that its
// handler does with it. One read and one write at a time. What is called back runs on a thread of gRPC's,
// which must not be held up.
class WireCall final : public grpc::ServerGenericBidiReactor {
 public:
  explicit WireCall(grpc::CallbackServerContext* context) : context_(context) {}

  // `then` gets the next message; null: there are no more, or it is larger than the server takes, or the
  // caller has left.
  void Read(std::function<void(grpc::ByteBuffer*)> then);
  // `then` is told whether it could be sent; false: the caller has left.
  void Write(grpc::ByteBuffer message, std::function<void(bool)> then);
  // The same for threads that may wait. A caller that does nothing for a minute is held to have left.
  bool ReadNow(grpc::ByteBuffer* message);
  bool WriteNow(grpc::ByteBuffer message);

  // The last message, and success.
  void Answer(grpc::ByteBuffer message);
  void End(const absl::Status& status);

  // Whether the caller has left.
  bool gone() const;
  // Called once when the caller leaves, at once when it has; not after the end.
  void WhenGone(std::function<void()> then);
  // Called when all is over, as the last.
  void WhenDone(std::function<void()> then) { when_done_ = std::move(then); }

 private:
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  grpc::CallbackServerContext* const context_;
  grpc::ByteBuffer read_, written_;
  std::function<void(grpc::ByteBuffer*)> after_read_;
  std::function<void(bool)> after_write_;
  std::function<void()> when_done_;
  mutable absl::Mutex mutex_;
  bool gone_ ABSL_GUARDED_BY(mutex_) = false;
  std::function<void()> when_gone_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
