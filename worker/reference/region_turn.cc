#include "worker/reference/region_turn.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <thread>

#include "absl/time/clock.h"
#include "worker/reference/program_record.h"

namespace tune {

absl::StatusOr<std::unique_ptr<RegionTurn>> RegionTurn::Open(const std::string& log_file,
                                                             absl::Duration limit,
                                                             Cancellation* cancellation) {
  const int log = open(log_file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (log < 0) return absl::InternalError(absl::StrCat(log_file, ": ", std::strerror(errno)));
  return std::unique_ptr<RegionTurn>(new RegionTurn(log, limit, cancellation));
}

RegionTurn::~RegionTurn() { close(log_); }

absl::StatusOr<SubprocessResult> RegionTurn::Run(
    const DeviceTurn& turn, const std::function<absl::StatusOr<SubprocessResult>()>& program) {
  absl::StatusOr<SubprocessResult> ran = absl::InternalError("it was not run");
  began_ = absl::Now();
  std::thread runs([&] {
    ran = program();
    if (!at_region_) there_.Notify();
  });
  there_.WaitForNotification();
  // Read after the notification that follows it.
  if (at_region_) {
    turn([&] {
      GoOn();
      runs.join();
    });
    if (!has_turn_.HasBeenNotified()) refused_.Notify();
  }
  if (runs.joinable()) runs.join();
  if (!ran.ok()) return ran;
  if (refused_.HasBeenNotified() && ran->cancelled)
    return absl::CancelledError("cancelled, or its GPU is used no more");
  if (late_) {
    ran->timed_out = true;
    ran->cancelled = false;
  }
  ran->wall_time -= Waited();
  return ran;
}

void RegionTurn::Watch(SubprocessOptions* options) {
  options->wall_limit = absl::InfiniteDuration();
  options->cancelled = [](void* self) { return static_cast<RegionTurn*>(self)->Ends(); };
  options->cancelled_argument = this;
}

// Whether the run has to end; polled while it goes on.
bool RegionTurn::Ends() {
  if (refused_.HasBeenNotified()) return true;
  if (cancellation_ != nullptr && Cancellation::Poll(cancellation_)) return true;
  if (!at_region_ && IsAtRegion()) {
    at_region_ = true;
    stopped_ = absl::Now();
    there_.Notify();
  }
  if (at_region_ && !has_turn_.HasBeenNotified()) return false;
  late_ = absl::Now() - began_ - Waited() > limit_;
  return late_;
}

// So far, at its region.
absl::Duration RegionTurn::Waited() const {
  if (!at_region_) return absl::ZeroDuration();
  return (has_turn_.HasBeenNotified() ? went_on_ : absl::Now()) - stopped_;
}

bool RegionTurn::IsAtRegion() const {
  int64_t stopped = 0;
  return pread(log_, &stopped, sizeof(stopped), offsetof(ExecutionLog, stopped)) == sizeof(stopped) &&
         stopped != 0;
}

void RegionTurn::GoOn() {
  const int64_t goes_on = 1;
  went_on_ = absl::Now();
  has_turn_.Notify();
  // Where it cannot be told it waits until its time is over.
  (void)!pwrite(log_, &goes_on, sizeof(goes_on), offsetof(ExecutionLog, goes_on));
}

}  // namespace tune
