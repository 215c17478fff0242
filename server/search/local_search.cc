#include "server/search/local_search.h"

namespace tune {
namespace {

constexpr int kMostNeighbours = 50;  // neighbours looked at for one that is new

}  // namespace

std::optional<ProposalSequence::Entry> LocalSearch::Draw(int64_t index) {
  Random random(seed_, index);
  if (current_.has_value()) {
    std::optional<Entry> neighbour = Neighbour(&random);
    if (neighbour.has_value()) return neighbour;
  }
  std::optional<Entry> entry = NewWalk(&random);
  if (entry.has_value()) entry->origin = "a restart at a walk drawn uniformly";
  return entry;
}

std::optional<ProposalSequence::Entry> LocalSearch::Neighbour(Random* random) {
  const KnownWalk& known = current_->known;
  for (int i = 0; i < kMostNeighbours && !known.free.empty(); ++i) {
    const std::string& changed = known.free[random->Below(known.free.size())];
    Entry entry = WalkAsVariant(known, {changed}, absl::StrCat("candidate ", current_->index), random);
    if (IsNew(entry)) return entry;
  }
  return std::nullopt;
}

void LocalSearch::Observed(int64_t) {
  if (++observed_ == kRound) EndRound();
}

void LocalSearch::EndRound() {
  bool gained = false;
  for (auto it = entries().lower_bound(first_); it != entries().end(); ++it) {
    const Entry& entry = it->second;
    if (!entry.seconds.has_value() || (current_.has_value() && *entry.seconds >= current_->seconds)) continue;
    current_ = {it->first, *entry.seconds, KnownWalkOf(entry.trace)};
    gained = true;
  }
  without_gain_ = gained ? 0 : without_gain_ + 1;
  if (without_gain_ == kPatience) {
    current_.reset();
    without_gain_ = 0;
  }
  first_ += kRound;
  observed_ = 0;
  ReleaseBelow(first_);
}

}  // namespace tune
