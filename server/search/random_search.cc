#include "server/search/random_search.h"

#include "common/base/random.h"

namespace tune {
namespace {

constexpr int kTries = 16;  // more than one is needed only in a space that answers differently each time

class UniformChooser : public Chooser {
 public:
  UniformChooser(const WalkTree& tree, Random* random) : cursor_(tree), random_(random) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    std::vector<double> weights;
    double sum = 0;
    for (const bool open : cursor_.Open(point)) sum += weights.emplace_back(open ? 1 : 0);
    if (sum == 0) weights.assign(point.allowed.begin(), point.allowed.end());
    const int chosen = random_->Draw(weights);
    cursor_.Choose(chosen);
    return chosen;
  }

 private:
  WalkTree::Cursor cursor_;
  Random* random_;
};

}  // namespace

std::optional<ProposalSequence::Entry> RandomSearch::Draw(int64_t index) {
  Random random(seed_, index);
  for (int i = 0; i < kTries && !tree().exhausted(); ++i) {
    UniformChooser chooser(tree(), &random);
    Entry entry = WalkWith(chooser);
    if (!tree().Contains(entry.trace)) return entry;
  }
  return std::nullopt;
}

void RandomSearch::Observed(int64_t) {
  auto it = entries().begin();
  while (it != entries().end() && it->second.observed) ++it;
  ReleaseBelow(it == entries().end() ? INT64_MAX : it->first);
}

}  // namespace tune
