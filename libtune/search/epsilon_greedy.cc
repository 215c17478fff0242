#include "libtune/search/epsilon_greedy.h"

namespace libtune {

EpsilonGreedy::EpsilonGreedy(int count, int first, const Exploration& exploration)
    : choices_(count),
      first_(first),
      epsilon_(exploration.epsilon),
      decay_(exploration.decay),
      untried_(count),
      allowed_(count) {}

std::optional<int> EpsilonGreedy::Next(Random* random, bool may_try) {
  if (allowed_ == 0) return std::nullopt;
  if (allowed_ == 1) epsilon_ = 0;
  const bool explores = random->Unit() < epsilon_;
  epsilon_ *= 1 - decay_;
  if (untried_ > 0 && (may_try || untried_ == allowed_)) return Untried();
  return explores && may_try ? Drawn(random) : Best();
}

std::optional<int> EpsilonGreedy::Untried() const {
  const int count = static_cast<int>(choices_.size());
  for (int i = 0; i < count; ++i) {
    const int choice = (first_ + i) % count;
    if (!choices_[choice].rejected && choices_[choice].seconds == 0) return choice;
  }
  return std::nullopt;
}

std::optional<int> EpsilonGreedy::Best() const {
  std::optional<int> best;
  for (int choice = 0; choice < static_cast<int>(choices_.size()); ++choice) {
    if (choices_[choice].rejected || choices_[choice].seconds == 0) continue;
    if (!best.has_value() || choices_[choice].seconds < choices_[*best].seconds) best = choice;
  }
  return best;
}

std::optional<int> EpsilonGreedy::Drawn(Random* random) const {
  int left = static_cast<int>(random->Below(allowed_));
  int choice = 0;
  while (choices_[choice].rejected || left-- > 0) ++choice;
  return choice;
}

void EpsilonGreedy::Observe(int choice, double seconds) {
  Choice& observed = choices_[choice];
  if (observed.rejected) return;
  if (observed.seconds == 0) --untried_;
  if (observed.seconds == 0 || seconds < observed.seconds) observed.seconds = seconds;
}

void EpsilonGreedy::Reject(int choice) {
  Choice& rejected = choices_[choice];
  if (rejected.rejected) return;
  if (rejected.seconds == 0) --untried_;
  rejected.rejected = true;
  --allowed_;
}

}  // namespace libtune
