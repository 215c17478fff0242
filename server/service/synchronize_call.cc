#include "server/service/synchronize_call.h"

#include <grpcpp/alarm.h>

#include <atomic>
#include <memory>

#include "absl/time/time.h"

namespace tune {
namespace {

class SynchronizeCall : public std::enable_shared_from_this<SynchronizeCall> {
 public:
  SynchronizeCall(Synchronization synchronization, const Call& call)
      : synchronization_(std::move(synchronization)), call_(call) {}

  void Begin() {
    if (IsOver()) return Answer();
    // Neither holds the call: whoever of them comes late finds it gone.
    alarm_.Set(absl::ToChronoTime(synchronization_.deadline()), [call = weak_from_this()](bool fired) {
      const auto self = fired ? call.lock() : nullptr;
      if (self == nullptr) return;
      self->time_is_up_ = true;
      self->synchronization_.Wake();
    });
    call_.wire->WhenGone([call = weak_from_this()] {
      if (const auto self = call.lock(); self != nullptr) self->synchronization_.Wake();
    });
    Wait();
  }

 private:
  // One thread at a time is here, and in what it calls.
  void Wait() {
    while (true) {
      const Waiting next = synchronization_.Wait([self = shared_from_this()] {
        self->call_.threads->Run(Work::kShort, [self] { self->IsOver() ? self->Answer() : self->Wait(); });
      });
      if (next == Waiting::kWaits) return;
      if (next == Waiting::kOver || IsOver()) return Answer();
    }
  }

  bool IsOver() { return call_.wire->gone() || time_is_up_ || synchronization_.Look(); }

  void Answer() {
    alarm_.Cancel();
    call_.wire->Answer(BytesOf(synchronization_.Finish()));
  }

  Synchronization synchronization_;
  const Call call_;
  grpc::Alarm alarm_;
  std::atomic<bool> time_is_up_{false};
};

}  // namespace

void AnswerWhenReady(Synchronization synchronization, const Call& call) {
  std::make_shared<SynchronizeCall>(std::move(synchronization), call)->Begin();
}

}  // namespace tune
