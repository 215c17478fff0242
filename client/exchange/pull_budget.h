// How much is taken from another server, which may be anybody's: a pull ends, whatever it answers.
#pragma once

#include <atomic>
#include <cstdint>

#include "absl/time/time.h"
#include "common/base/clock.h"
#include "common/base/status.h"

namespace tune {

struct PullLimits {
  int64_t bytes = int64_t{64} << 30;
  int64_t requests = 300'000;
  absl::Duration whole = absl::Hours(12);
  absl::Duration without_news = absl::Minutes(30);  // between two things that were not known
};

// Thread safe.
class PullBudget {
 public:
  // Begins now. `clock` is not owned.
  explicit PullBudget(const PullLimits& limits = {}, const Clock* clock = &Clock::Real());

  void CountAnswer(int64_t bytes);
  // A study has been listed, or has come, that was not known.
  void CountNews() { last_news_ = clock_->Now(); }

  // RESOURCE_EXHAUSTED says which limit is reached and what to do.
  absl::Status Check() const;

 private:
  const PullLimits limits_;
  const Clock* const clock_;
  const absl::Time begin_;
  std::atomic<int64_t> bytes_ = 0, requests_ = 0;
  std::atomic<absl::Time> last_news_;
};

}  // namespace tune
