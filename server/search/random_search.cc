#include "server/search/random_search.h"

#include "common/base/random.h"

namespace tune {
namespace {

constexpr int kMostDraws = 16;  // more than one is needed only in a space that answers differently each time

class UniformChooser : public Chooser {
 public:
  // `record`: null, or takes what is drawn.
  UniformChooser(const WalkTree& tree, Random* random, std::vector<DrawRecord>* record)
      : cursor_(tree), random_(random), record_(record) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    std::vector<double> weights;
    double sum = 0;
    const std::vector<bool> unmade = cursor_.Open(point);
    for (const bool open : unmade) sum += weights.emplace_back(open ? 1 : 0);
    if (sum == 0) weights.assign(point.allowed.begin(), point.allowed.end());
    const int chosen = random_->Draw(weights);
    cursor_.Choose(chosen);
    if (record_ != nullptr) record_->push_back({point, unmade, weights, chosen, "drawn"});
    return chosen;
  }

 private:
  WalkTree::Cursor cursor_;
  Random* random_;
  std::vector<DrawRecord>* record_;
};

}  // namespace

std::optional<ProposalSequence::Entry> RandomSearch::Draw(int64_t index) {
  Random random(seed_, index);
  for (int i = 0; i < kMostDraws && !tree().exhausted(); ++i) {
    std::vector<DrawRecord> draws;
    UniformChooser chooser(tree(), &random, explaining() ? &draws : nullptr);
    Entry entry = WalkWith(chooser);
    if (tree().Contains(entry.trace)) continue;
    entry.origin = "a random walk";
    entry.draws = std::move(draws);
    return entry;
  }
  return std::nullopt;
}

void RandomSearch::Observed(int64_t) { ReleaseObserved(); }

}  // namespace tune
