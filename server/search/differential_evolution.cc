#include "server/search/differential_evolution.h"

#include <algorithm>
#include <limits>

namespace tune {
namespace {

constexpr double kWeight = 0.7;     // F
constexpr double kCrossover = 0.5;  // CR
constexpr int kMostTrials = 20;     // trials made for one that is new

// Mutation and crossover of one trial.
class TrialChooser : public DrawingChooser {
 public:
  using Known = std::map<std::string, std::string>;  // key -> option

  // `always`: the decision that is mutated in any case. Nothing is owned.
  TrialChooser(const DecisionTable& table, const Known& target, const Known& base, const Known& b,
               const Known& c, std::string always, Random* random, std::vector<DrawRecord>* record)
      : DrawingChooser(random, record),
        table_(table),
        target_(target),
        base_(base),
        b_(b),
        c_(c),
        always_(std::move(always)),
        random_(random) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    const bool mutated = random_->Uniform() < kCrossover || point.key == always_;
    const int known = PositionIn(point, mutated ? base_ : target_);
    if (known < 0) return DrawFrom(point, point.allowed);
    if (!mutated) return Take(point, known, "as the individual has it");
    const int b = PositionIn(point, b_), c = PositionIn(point, c_);
    if (b < 0 || c < 0 || b == c) return Take(point, known, "as the best has it");
    if (!table_.numeric(table_.Find(point.key))) return DrawFrom(point, point.allowed);
    return Take(point, known + kWeight * (b - c), "the best's, moved by the difference of two others");
  }

 protected:
  std::vector<double> WeightsOf(const DecisionPoint& point, const std::vector<bool>& open) const override {
    return {open.begin(), open.end()};
  }

 private:
  int Take(const DecisionPoint& point, double wanted, const std::string& reason) {
    const int chosen = NearestAllowed(point, wanted);
    WriteDown(point, chosen, reason);
    return chosen;
  }

  const DecisionTable& table_;
  const Known& target_;
  const Known& base_;
  const Known& b_;
  const Known& c_;
  const std::string always_;
  Random* const random_;
};

}  // namespace

std::optional<ProposalSequence::Entry> DifferentialEvolution::Draw(int64_t index) {
  Random random(seed_, index);
  for (int i = 0; i < kMostTrials && !population_.empty(); ++i) {
    Entry entry = Trial(population_[index % kPopulation], &random);
    if (IsNew(entry)) return entry;
  }
  std::optional<Entry> entry = NewWalk(&random);
  if (entry.has_value()) entry->origin = "a walk drawn uniformly";
  return entry;
}

const DifferentialEvolution::Individual& DifferentialEvolution::Best() const {
  return *std::min_element(population_.begin(), population_.end(), [](const auto& a, const auto& b) {
    return std::make_pair(a.seconds, a.index) < std::make_pair(b.seconds, b.index);
  });
}

ProposalSequence::Entry DifferentialEvolution::Trial(const Individual& individual, Random* random) {
  std::array<const Individual*, 2> others;
  for (const Individual*& other : others) {
    do {
      other = &population_[random->Below(kPopulation)];
    } while (other == &individual || (&other == &others[1] && other == others[0]));
  }
  const std::vector<std::string>& free = individual.known.free;
  std::vector<DrawRecord> draws;
  TrialChooser chooser(table_, individual.known.options, Best().known.options, others[0]->known.options,
                       others[1]->known.options, free.empty() ? "" : free[random->Below(free.size())], random,
                       explaining() ? &draws : nullptr);
  Entry entry = WalkWith(chooser);
  entry.draws = std::move(draws);
  entry.origin =
      absl::StrCat("a trial for candidate ", individual.index, " of the best and the difference of ",
                   others[0]->index, " and ", others[1]->index);
  return entry;
}

void DifferentialEvolution::Observed(int64_t) {
  if (++observed_ == kPopulation) EndGeneration();
}

void DifferentialEvolution::EndGeneration() {
  const bool is_first = population_.empty();
  population_.resize(kPopulation);
  for (auto it = entries().lower_bound(first_); it != entries().end(); ++it) {
    const Entry& entry = it->second;
    table_.Add(entry.trace, entry.seconds);
    const double seconds = entry.seconds.value_or(std::numeric_limits<double>::infinity());
    Individual& individual = population_[it->first % kPopulation];
    if (!is_first && seconds > individual.seconds) continue;
    individual = {it->first, seconds, KnownWalkOf(entry.trace)};
  }
  first_ += kPopulation;
  observed_ = 0;
  ReleaseBelow(first_);
}

}  // namespace tune
