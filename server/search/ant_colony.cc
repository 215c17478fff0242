#include "server/search/ant_colony.h"

#include <algorithm>

#include "common/base/random.h"

namespace tune {
namespace {

constexpr int kRedraws = 10;
constexpr int kIterationBestIterations = 2;

PheromoneOptions OptionsOf(const v1::SearchOptions& options) {
  return {options.alpha(), options.beta(), options.rho(), options.tau_min(), options.tau_max()};
}

// Moves by equation 2. With a tree, over the options that lead to walks not made.
class AntChooser : public Chooser {
 public:
  AntChooser(const PheromoneGraph& graph, const WalkTree* tree, Random* random)
      : graph_(graph), random_(random) {
    if (tree != nullptr) cursor_.emplace(*tree);
  }

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    std::vector<bool> allowed = cursor_.has_value() ? cursor_->Open(point) : point.allowed;
    if (std::find(allowed.begin(), allowed.end(), true) == allowed.end()) allowed = point.allowed;
    const int chosen = random_->Draw(graph_.Weights(point, allowed));
    if (cursor_.has_value()) cursor_->Choose(chosen);
    return chosen;
  }

 private:
  const PheromoneGraph& graph_;
  std::optional<WalkTree::Cursor> cursor_;
  Random* random_;
};

}  // namespace

AntColony::AntColony(const v1::SearchOptions& options, Space* space)
    : ProposalSequence(space), seed_(options.seed()), ants_(options.ants()), graph_(OptionsOf(options)) {}

std::optional<ProposalSequence::Entry> AntColony::Draw(int64_t index) {
  if (tree().exhausted()) return std::nullopt;
  Random random(seed_, index);
  for (int i = 0; i <= kRedraws; ++i) {
    AntChooser chooser(graph_, nullptr, &random);
    Entry entry = WalkWith(chooser);
    if (!tree().Contains(entry.trace)) return entry;
  }
  AntChooser chooser(graph_, &tree(), &random);
  Entry entry = WalkWith(chooser);
  if (tree().Contains(entry.trace)) return std::nullopt;  // a space that answers differently each time
  return entry;
}

void AntColony::Observed(int64_t) {
  if (++observed_ == ants_) EndIteration();
}

void AntColony::EndIteration() {
  const int64_t first = iteration_ * ants_;
  const Entry* iteration_best = nullptr;
  for (auto it = entries().lower_bound(first); it != entries().end(); ++it) {
    const Entry& entry = it->second;
    graph_.Reach(entry.trace);
    if (!entry.seconds.has_value()) continue;
    if (iteration_best == nullptr || *entry.seconds < *iteration_best->seconds) iteration_best = &entry;
  }
  if (iteration_best != nullptr && (!best_.has_value() || *iteration_best->seconds < best_->seconds)) {
    best_ = Best{*iteration_best->seconds, iteration_best->trace};
  }
  const Trace* depositing = best_.has_value() ? &best_->trace : nullptr;
  if (iteration_ < kIterationBestIterations && iteration_best != nullptr) depositing = &iteration_best->trace;
  graph_.Update(depositing);
  ++iteration_;
  observed_ = 0;
  ReleaseBelow(first + ants_);
}

}  // namespace tune
