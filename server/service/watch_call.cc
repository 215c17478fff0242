#include "server/service/watch_call.h"

#include <grpcpp/alarm.h>

#include <memory>
#include <optional>

#include "absl/time/clock.h"

namespace tune {
namespace {

// As often as a person can make use of.
constexpr absl::Duration kBetween = absl::Milliseconds(100);

class WatchCall : public std::enable_shared_from_this<WatchCall> {
 public:
  WatchCall(StudyWatch watch, const Call& call) : watch_(std::move(watch)), call_(call) {}

  void Look() {
    if (call_.wire->gone()) return call_.wire->End(CallerGone());
    const absl::StatusOr<std::optional<v1::Study>> view = watch_.Next();
    if (!view.ok()) return call_.wire->End(view.status());
    if (!view->has_value()) return watch_.ended() ? call_.wire->End(absl::OkStatus()) : LookLater();
    call_.wire->Write(BytesOf(**view), [self = shared_from_this()](bool) { self->LookLater(); });
  }

 private:
  void LookLater() {
    const absl::Duration wait = watch_.ended() ? absl::ZeroDuration() : kBetween;
    alarm_.emplace().Set(absl::ToChronoTime(absl::Now() + wait), [self = shared_from_this()](bool) {
      self->call_.threads->Run(Work::kShort, [self] { self->Look(); });
    });
  }

  StudyWatch watch_;
  const Call call_;
  std::optional<grpc::Alarm> alarm_;
};

}  // namespace

void SendChanges(StudyWatch watch, const Call& call) {
  std::make_shared<WatchCall>(std::move(watch), call)->Look();
}

}  // namespace tune
