#include "server/search/first_walks.h"

#include <algorithm>
#include <limits>

namespace tune {
namespace {

constexpr int kFirstWalks = 10;
constexpr int kFirstDraws = 5;
constexpr int kComparedAnts = 100;  // ants

}  // namespace

std::optional<ProposalSequence::Entry> FirstWalks::Propose(Random* random) {
  std::vector<ProposalSequence::Entry> walks;
  std::vector<double> sizes;
  for (int i = 0; i < kFirstWalks; ++i) {
    ProposalSequence::Entry entry = ants_->WalkIn({"a walk by the trails alone", {}}, random);
    if (!walker_->IsNew(entry)) continue;
    double size = 1;
    for (const TracedDecision& traced : entry.trace)
      size *= traced.point.walks.empty() ? CountAllowed(traced.point) : 1;
    sizes.push_back(size);
    walks.push_back(std::move(entry));
  }
  if (walks.empty()) return std::nullopt;
  int farthest = -1;
  int distance = -1;
  for (int i = 0; i < kFirstDraws; ++i) {
    const int drawn = random->Draw(sizes);
    const int least = LeastDistance(walks[drawn].trace);
    if (least <= distance) continue;
    distance = least;
    farthest = drawn;
  }
  return std::move(walks[farthest]);
}

int FirstWalks::LeastDistance(const Trace& trace) const {
  int least = std::numeric_limits<int>::max();
  int left = kComparedAnts;
  const auto& ants = walker_->ants();
  for (auto it = ants.rbegin(); it != ants.rend() && left > 0; ++it, --left) {
    least = std::min(least, Distance(trace, it->second.trace));
  }
  return least;
}

}  // namespace tune
