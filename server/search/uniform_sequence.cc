#include "server/search/uniform_sequence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

constexpr int kResampled = 16;
// Walks begun for one candidate: a region can have many dead ends.
constexpr int kAttempts = 200;

// Answers within a filter, never as walks that were made or are closed.
class RegionChooser : public DrawingChooser {
 public:
  RegionChooser(const WalkTree& made, const WalkTree& closed, const DecisionTable* table,
                const OptionFilter* filter, Random* random, std::vector<DrawRecord>* record)
      : DrawingChooser(random, record), made_(made), closed_(closed), table_(table), filter_(filter) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    DecisionPoint kept = point;
    if (filter_ != nullptr) kept.allowed = filter_->Keep(*table_, point);
    std::vector<bool> open = made_.Open(point);
    const std::vector<bool> not_closed = closed_.Open(kept);
    for (size_t i = 0; i < open.size(); ++i) open[i] = open[i] && not_closed[i];
    if (!Any(open)) {
      dead_end_ = true;
      return absl::NotFoundError(point.key + ": no walk that was not made goes on here");
    }
    const std::vector<double> weights = WeightsOf(point, open);
    const int chosen = DrawFrom(point, std::move(open));
    log_likelihood_ += std::log(weights[chosen] / std::accumulate(weights.begin(), weights.end(), 0.0));
    counted_ = counted_ && !point.walks.empty();
    made_.Choose(chosen);
    closed_.Choose(chosen);
    within_.push_back({std::move(kept), chosen});
    return chosen;
  }

  bool dead_end() const { return dead_end_; }
  bool counted() const { return counted_; }
  double log_likelihood() const { return log_likelihood_; }
  Trace TakeWithin() { return std::move(within_); }

 protected:
  // How many walks that were not made each option leads to, as far as that is known.
  std::vector<double> WeightsOf(const DecisionPoint& point, const std::vector<bool>& open) const override {
    std::vector<double> weights(open.size(), 0);
    for (int i = 0; i < static_cast<int>(open.size()); ++i) {
      if (open[i]) weights[i] = point.walks.empty() ? 1 : std::max(1.0, point.walks[i] - made_.Made(i));
    }
    return weights;
  }

 private:
  WalkTree::Cursor made_;
  WalkTree::Cursor closed_;
  const DecisionTable* const table_;
  const OptionFilter* const filter_;
  bool dead_end_ = false;
  bool counted_ = true;
  double log_likelihood_ = 0;
  Trace within_;
};

}  // namespace

UniformSequence::Attempt UniformSequence::Try(const Region& region, const WalkTree& closed, Random* random) {
  Attempt attempt;
  std::vector<DrawRecord> draws;
  RegionChooser chooser(tree(), closed, region.table, region.filter, random, explaining() ? &draws : nullptr);
  attempt.entry = WalkWith(chooser);
  attempt.entry.draws = std::move(draws);
  attempt.within = chooser.TakeWithin();
  attempt.counted = chooser.counted();
  attempt.log_likelihood = chooser.log_likelihood();
  const Trace& trace = attempt.entry.trace;
  attempt.succeeded = !chooser.dead_end() && IsNew(attempt.entry) &&
                      (region.filter == nullptr || region.filter->AllowsWithout(*region.table, trace));
  return attempt;
}

std::optional<ProposalSequence::Entry> UniformSequence::NewWalk(const Region& region, Random* random) {
  WalkTree closed;
  std::vector<Entry> walks;
  std::vector<double> log_likelihoods;
  for (int i = 0; i < kAttempts && static_cast<int>(walks.size()) < kResampled; ++i) {
    if (tree().exhausted() || closed.exhausted()) break;
    Attempt attempt = Try(region, closed, random);
    if (!attempt.succeeded) {
      closed.Add(attempt.within);
      continue;
    }
    if (region.filter == nullptr && attempt.counted) return std::move(attempt.entry);
    walks.push_back(std::move(attempt.entry));
    log_likelihoods.push_back(attempt.log_likelihood);
  }
  if (walks.empty()) return std::nullopt;
  const double most = *std::min_element(log_likelihoods.begin(), log_likelihoods.end());
  std::vector<double> weights;
  for (const double log_likelihood : log_likelihoods) weights.push_back(std::exp(most - log_likelihood));
  return std::move(walks[random->Draw(weights)]);
}

ProposalSequence::Entry UniformSequence::WalkAsVariant(const KnownWalk& known,
                                                       const std::set<std::string>& changed,
                                                       const std::string& name, Random* random) {
  std::vector<DrawRecord> draws;
  EvenChooser drawing(random, explaining() ? &draws : nullptr);
  VariantChooser chooser(known.options, changed, name, &drawing);
  Entry entry = WalkWith(chooser);
  entry.draws = std::move(draws);
  entry.origin = absl::StrCat("a variant of ", name, " in ", absl::StrJoin(changed, " and "));
  return entry;
}

}  // namespace tune
