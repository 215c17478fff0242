#include "common/base/clock.h"

#include <ctime>

namespace tune {
namespace {

class RealClock : public Clock {
 public:
  absl::Time Now() const override { return absl::Now(); }
  absl::Time Steady() const override {
    timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return absl::TimeFromTimespec(time);
  }
};

}  // namespace

const Clock& Clock::Real() {
  static const RealClock* const clock = new RealClock;
  return *clock;
}

}  // namespace tune
