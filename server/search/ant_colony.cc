#include "server/search/ant_colony.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_join.h"
#include "common/base/random.h"

namespace tune {
namespace {

constexpr int kRedraws = 10;
constexpr int kIterationBestIterations = 2;
// Walks that an ant looks at before it takes one.
constexpr int kWalksOfAnAnt = 10;
constexpr int kWalksNearTheBest = 7;  // and as many variants
constexpr int kSteps = 20;            // of a climb
constexpr int kFirstDraws = 5;
constexpr int kCompared = 100;  // ants of the first iteration
// Of every ten ants.
constexpr int64_t kTurns = 10;
constexpr int64_t kTurnsNearTheBest = 5;
constexpr int64_t kTurnsOnPeaks = 3;
constexpr size_t kBests = 3;
constexpr double kGrowth = 1.1;         // of the candidates that the tree knows, before it is grown anew
constexpr double kSecondChange = 0.3;   // probability that a variant changes two decisions
constexpr double kKernelDeposit = 0.5;  // of the deposit of the best ant
constexpr uint64_t kTreeStream = uint64_t{1} << 62;  // apart from the ants' random sequences

std::string CandidateName(int64_t index) { return absl::StrCat("candidate ", index); }

PheromoneOptions OptionsOf(const v1::SearchOptions& options) {
  return {options.alpha(), options.beta(), options.rho(), options.tau_min(), options.tau_max()};
}

}  // namespace

AntColony::AntColony(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds)
    : ProposalSequence(space, std::move(seeds)),
      options_(options),
      ants_(options.ants()),
      graph_(OptionsOf(options)) {}

const PheromoneGraph& AntColony::graph() {
  BringDesirabilitiesUpToDate();
  return graph_;
}

const TreeGuide* AntColony::guide() {
  if (options_.no_tree() || !table_.HasSuccess(guide_rows_)) return nullptr;
  if (!guide_.has_value()) guide_.emplace(&table_, guide_rows_);
  return &*guide_;
}

const WalkModel& AntColony::model() {
  if (!model_.has_value())
    model_.emplace(&table_, guide_rows_, Random(options_.seed(), kTreeStream + guide_rows_));
  return *model_;
}

// Without it the ants of one iteration, who know the same, would take nearly the same walk.
const GaussianProcess& AntColony::ProcessWithAnts(const WalkModel& model) {
  if (!process_.has_value()) {
    process_ = model.process();
    expected_ = iteration_ * ants_;
  }
  for (auto it = entries().lower_bound(expected_); it != entries().end(); ++it) {
    process_->Expect(model.InputOf(it->second.trace));
    expected_ = it->first + 1;
  }
  return *process_;
}

std::optional<ProposalSequence::Entry> AntColony::Draw(int64_t index) {
  if (tree().exhausted()) return std::nullopt;
  BringDesirabilitiesUpToDate();
  Random random(options_.seed(), index);
  std::optional<Entry> entry;
  if (index == iteration_ * ants_ && kernels_improved_) entry = WalkAsBestKernels(&random);
  if (!entry.has_value() && !options_.no_tree() && iteration_ == 0) entry = FirstWalk(&random);
  if (!entry.has_value() && guide() != nullptr) entry = WalkWithTree(index, &random);
  return entry.has_value() ? entry : AnyNewWalk(&random);
}

// Walks are drawn with probability 1 / product of the numbers of open options: to draw one of them in
// proportion to the product makes all walks about as likely (importance resampling). Of some drawn so the
// farthest from the ants before it: the first candidates are all that the models have to begin with.
std::optional<ProposalSequence::Entry> AntColony::FirstWalk(Random* random) {
  std::vector<Entry> walks;
  std::vector<double> sizes;
  for (int i = 0; i < kWalksOfAnAnt; ++i) {
    Entry entry = WalkAnywhere(random);
    if (!IsNew(entry)) continue;
    double size = 1;
    for (const TracedDecision& traced : entry.trace) size *= CountAllowed(traced.point);
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

int AntColony::LeastDistance(const Trace& trace) const {
  int least = std::numeric_limits<int>::max();
  int left = kCompared;
  for (auto it = entries().rbegin(); it != entries().rend() && left > 0; ++it, --left) {
    least = std::min(least, Distance(trace, it->second.trace));
  }
  return least;
}

std::optional<ProposalSequence::Entry> AntColony::WalkWithTree(int64_t index, Random* random) {
  const int64_t turn = index % kTurns;
  std::optional<Entry> entry;
  if (turn >= kTurns - kTurnsOnPeaks) entry = VariantOfAPeak(random);
  if (entry.has_value()) return entry;
  return turn < kTurnsNearTheBest ? WalkNearTheBest(random) : WalkElsewhere(random);
}

std::optional<ProposalSequence::Entry> AntColony::WalkNearTheBest(Random* random) {
  const Region region = {"a walk in the tree's region of the best so far",
                         guide()->RegionOf(bests_[0].trace)};
  return MostPromising(2 * kWalksNearTheBest, [&](int i, const Entry*) {
    if (i < kWalksNearTheBest) return WalkIn(region, random);
    const Best& base = bests_[random->Below(bests_.size())];
    return WalkAsVariant(base.known, CandidateName(base.index), random);
  });
}

std::optional<ProposalSequence::Entry> AntColony::WalkElsewhere(Random* random) {
  const Region region = {"a walk in a region drawn from the tree",
                         guide()->DrawRegion(options_.alpha(), random)};
  return MostPromising(kWalksOfAnAnt + kSteps, [&](int i, const Entry* best) {
    if (i < kWalksOfAnAnt || best == nullptr) return WalkIn(region, random);
    return WalkAsVariant(KnownWalkOf(best->trace), region.origin, random);
  });
}

std::optional<ProposalSequence::Entry> AntColony::VariantOfAPeak(Random* random) {
  const Peaks::Peak& peak = peaks_.all()[random->Below(peaks_.all().size())];
  const std::string name = CandidateName(peak.index);
  return MostPromising(kWalksOfAnAnt,
                       [&](int, const Entry*) { return WalkAsVariant(peak.known, name, random); });
}

std::optional<ProposalSequence::Entry> AntColony::MostPromising(
    int count, const std::function<Entry(int, const Entry*)>& walk) {
  const WalkModel& model = this->model();
  const GaussianProcess& process = ProcessWithAnts(model);
  std::optional<Entry> best;
  double promise = 0;
  for (int i = 0; i < count; ++i) {
    Entry entry = walk(i, best.has_value() ? &*best : nullptr);
    const double improvement = model.Improvement(entry.trace, process);
    // No reliability is above 1.
    if ((best.has_value() && improvement <= promise) || !IsNew(entry)) continue;
    const double value = improvement * LeastReliability(entry.trace);
    if (best.has_value() && value <= promise) continue;
    promise = value;
    best = std::move(entry);
  }
  return best;
}

double AntColony::LeastReliability(const Trace& trace) const {
  double least = 1;
  for (const TracedDecision& traced : trace) {
    const std::string& option = traced.point.options[traced.chosen];
    least = std::min(least, experience_.Reliability(traced.point.key, option));
  }
  return least;
}

std::optional<ProposalSequence::Entry> AntColony::AnyNewWalk(Random* random) {
  for (int i = 0; i <= kRedraws; ++i) {
    Entry entry = WalkAnywhere(random);
    if (IsNew(entry)) return entry;
  }
  Entry entry = WalkAnywhere(random, /*avoid_made=*/true);
  if (!IsNew(entry)) return std::nullopt;  // a space that answers differently each time
  return entry;
}

ProposalSequence::Entry AntColony::WalkAnywhere(Random* random, bool avoid_made) {
  return WalkIn({"a walk by the trails alone", {}}, random, avoid_made);
}

ProposalSequence::Entry AntColony::WalkIn(const Region& region, Random* random, bool avoid_made) {
  std::vector<DrawRecord> draws;
  AntChooser chooser(graph_, random, explaining() ? &draws : nullptr);
  if (!region.filter.empty()) chooser.FilterBy(&table_, &region.filter);
  if (avoid_made) chooser.AvoidMade(tree());
  Entry entry = WalkWith(chooser);
  entry.origin = region.origin;
  entry.draws = std::move(draws);
  return entry;
}

ProposalSequence::Entry AntColony::WalkAsVariant(const KnownWalk& known, const std::string& name,
                                                 Random* random) {
  const std::vector<std::string>& free = known.free;
  std::set<std::string> changed;
  if (!free.empty()) changed.insert(free[random->Below(free.size())]);
  if (!free.empty() && random->Uniform() < kSecondChange) changed.insert(free[random->Below(free.size())]);
  Entry entry = WalkAsKnown(known.options, changed, name, random);
  entry.origin = absl::StrCat("a variant of ", name, " in ", absl::StrJoin(changed, " and "));
  return entry;
}

std::optional<ProposalSequence::Entry> AntColony::WalkAsBestKernels(Random* random) {
  Entry entry = WalkAsKnown(kernel_bests_.Recombine(bests_[0].trace), {}, "the best of each kernel", random);
  if (!IsNew(entry)) return std::nullopt;
  entry.origin = absl::StrCat("candidate ", bests_[0].index, " with the best decisions of each kernel");
  return entry;
}

ProposalSequence::Entry AntColony::WalkAsKnown(const std::map<std::string, std::string>& known,
                                               const std::set<std::string>& changed, const std::string& name,
                                               Random* random) {
  std::vector<DrawRecord> draws;
  AntChooser ant(graph_, random, explaining() ? &draws : nullptr);
  VariantChooser chooser(known, changed, name, &ant);
  Entry entry = WalkWith(chooser);
  entry.draws = std::move(draws);
  return entry;
}

void AntColony::DescribeState(v1::Explanation* explanation) {
  BringDesirabilitiesUpToDate();
  explanation->set_iteration(iteration_);
  if (const TreeGuide* tree = guide(); tree != nullptr) explanation->set_tree(TreeText(*tree));
}

void AntColony::DescribeGraph(v1::Explanation* explanation) const {
  graph_.Visit([&](const std::string& key, const std::string& option, const PheromoneGraph::Edge& edge) {
    v1::GraphEdge* described = explanation->add_edges();
    described->set_key(key);
    described->set_option(option);
    described->set_pheromone(edge.tau);
    described->set_desirability(edge.eta);
    described->set_visits(edge.visits);
    for (const auto& [next, visits] : edge.next) (*described->mutable_next())[next] = visits;
  });
}

void AntColony::DescribeOptions(const DrawRecord& draw, v1::ExplainedDecision* decision) const {
  for (v1::ExplainedOption& option : *decision->mutable_options()) {
    option.set_pheromone(graph_.Tau(draw.point.key, option.option(), decision->options_size()));
    option.set_desirability(graph_.Eta(draw.point.key, option.option()));
  }
}

void AntColony::Observed(int64_t) {
  if (++observed_ == ants_) EndIteration();
}

void AntColony::EndIteration() {
  const int64_t first = iteration_ * ants_;
  const Entry* iteration_best = nullptr;
  kernels_improved_ = false;
  for (auto it = entries().lower_bound(first); it != entries().end(); ++it) {
    const Entry& entry = it->second;
    Learn(it->first, entry);
    if (!entry.seconds.has_value()) continue;
    if (iteration_best == nullptr || *entry.seconds < *iteration_best->seconds) iteration_best = &entry;
  }
  const Trace* depositing = bests_.empty() ? nullptr : &bests_[0].trace;
  if (iteration_ < kIterationBestIterations && iteration_best != nullptr) depositing = &iteration_best->trace;
  graph_.Evaporate();
  if (depositing != nullptr) graph_.Deposit(*depositing, 1);
  if (!options_.no_kernel_updates()) DepositOnKernels();
  graph_.KeepWithinBounds();
  desirabilities_are_old_ = true;
  if (guide_rows_ * kGrowth <= table_.rows()) {
    guide_rows_ = table_.rows();
    guide_.reset();
    model_.reset();
  }
  process_.reset();
  ++iteration_;
  observed_ = 0;
  ReleaseBelow(first + ants_);
}

// Everything that one candidate teaches but the trails.
void AntColony::Learn(int64_t index, const Entry& entry) {
  graph_.Reach(entry.trace);
  table_.Add(entry.trace, entry.seconds);
  experience_.Add(entry.trace, entry.seconds.has_value(), entry.kernels);
  if (!entry.seconds.has_value()) return;
  if (!options_.no_kernel_updates()) kernels_improved_ |= kernel_bests_.Add(entry.trace, entry.kernels);
  peaks_.Add(index, *entry.seconds, entry.trace);
  const auto place = std::find_if(bests_.begin(), bests_.end(),
                                  [&](const Best& best) { return *entry.seconds < best.seconds; });
  if (place == bests_.end() && bests_.size() == kBests) return;
  bests_.insert(place, Best{index, *entry.seconds, entry.trace, entry.kernels, KnownWalkOf(entry.trace)});
  if (bests_.size() > kBests) bests_.pop_back();
}

void AntColony::DepositOnKernels() {
  for (const std::string& kernel : kernel_bests_.Kernels()) {
    graph_.Deposit(kernel_bests_.DecisionsOf(kernel), kKernelDeposit);
  }
}

void AntColony::BringDesirabilitiesUpToDate() {
  if (!desirabilities_are_old_) return;
  desirabilities_are_old_ = false;
  static const std::vector<KernelResult> kNothing;
  const std::vector<KernelResult>& best =
      options_.no_metrics() || bests_.empty() ? kNothing : bests_[0].kernels;
  graph_.SetDesirabilities([&](const std::string& key, const std::string& option) {
    return experience_.Desirability(key, option, best) * experience_.Reliability(key, option);
  });
}

}  // namespace tune
