#include "server/search/ant_system.h"

#include "absl/strings/str_join.h"

namespace tune {
namespace {

constexpr int kRedraws = 10;
constexpr int kIterationBestIterations = 2;
constexpr double kSecondChange = 0.3;   // probability that a variant changes two decisions
constexpr double kKernelDeposit = 0.5;  // of the deposit of the best ant

PheromoneOptions OptionsOf(const v1::SearchOptions& options) {
  return {options.alpha(), options.beta(), options.rho(), options.tau_min(), options.tau_max()};
}

}  // namespace

AntSystem::AntSystem(const v1::SearchOptions& options, const ColonyMemory* memory, Walker* walker)
    : options_(options), memory_(memory), walker_(walker), graph_(OptionsOf(options)) {}

std::optional<AntSystem::Entry> AntSystem::Propose(Random* random) {
  const Region everywhere = {"a walk by the trails alone", {}};
  for (int i = 0; i <= kRedraws; ++i) {
    Entry entry = Walk(everywhere, /*avoid_made=*/false, random);
    if (walker_->IsNew(entry)) return entry;
  }
  Entry entry = Walk(everywhere, /*avoid_made=*/true, random);
  if (!walker_->IsNew(entry)) return std::nullopt;  // a space that answers differently each time
  return entry;
}

AntSystem::Entry AntSystem::Walk(const Region& region, bool avoid_made, Random* random) {
  std::vector<DrawRecord> draws;
  AntChooser chooser(graph(), random, walker_->explaining() ? &draws : nullptr);
  if (!region.filter.empty()) chooser.FilterBy(&memory_->table(), &region.filter);
  if (avoid_made) chooser.AvoidMade(walker_->made());
  Entry entry = walker_->Walk(chooser);
  entry.origin = region.origin;
  entry.draws = std::move(draws);
  return entry;
}

AntSystem::Entry AntSystem::WalkAsKnown(const std::map<std::string, std::string>& known,
                                        const std::set<std::string>& changed, const std::string& name,
                                        Random* random) {
  std::vector<DrawRecord> draws;
  AntChooser ant(graph(), random, walker_->explaining() ? &draws : nullptr);
  VariantChooser chooser(known, changed, name, &ant);
  Entry entry = walker_->Walk(chooser);
  entry.draws = std::move(draws);
  return entry;
}

AntSystem::Entry AntSystem::WalkAsVariant(const KnownWalk& known, const std::string& name, Random* random) {
  const std::vector<std::string>& free = known.free;
  std::set<std::string> changed;
  if (!free.empty()) changed.insert(free[random->Below(free.size())]);
  if (!free.empty() && random->Uniform() < kSecondChange) changed.insert(free[random->Below(free.size())]);
  Entry entry = WalkAsKnown(known.options, changed, name, random);
  entry.origin = absl::StrCat("a variant of ", name, " in ", absl::StrJoin(changed, " and "));
  return entry;
}

void AntSystem::EndIteration() {
  for (const auto& [index, entry] : walker_->ants()) graph_.Reach(entry.trace);
  const Trace* depositing = DepositingWalk();
  graph_.Evaporate();
  if (depositing != nullptr) graph_.Deposit(*depositing, 1);
  if (!options_.no_kernel_updates()) DepositOnKernels();
  graph_.KeepWithinBounds();
  desirabilities_are_old_ = true;
  ++iteration_;
}

const Trace* AntSystem::DepositingWalk() const {
  const Entry* iteration_best = nullptr;
  for (const auto& [index, entry] : walker_->ants()) {
    if (!entry.seconds.has_value()) continue;
    if (iteration_best == nullptr || *entry.seconds < *iteration_best->seconds) iteration_best = &entry;
  }
  if (iteration_ < kIterationBestIterations && iteration_best != nullptr) return &iteration_best->trace;
  return memory_->bests().empty() ? nullptr : &memory_->bests()[0].trace;
}

void AntSystem::DepositOnKernels() {
  for (const std::string& kernel : memory_->kernel_bests().Kernels()) {
    graph_.Deposit(memory_->kernel_bests().DecisionsOf(kernel), kKernelDeposit);
  }
}

const PheromoneGraph& AntSystem::graph() {
  if (!desirabilities_are_old_) return graph_;
  desirabilities_are_old_ = false;
  static const std::vector<KernelResult> kNothing;
  const std::vector<KernelResult>& best =
      options_.no_metrics() || memory_->bests().empty() ? kNothing : memory_->bests()[0].kernels;
  const EdgeExperience& experience = memory_->experience();
  graph_.SetDesirabilities([&](const std::string& key, const std::string& option) {
    return experience.Desirability(key, option, best) * experience.Reliability(key, option);
  });
  return graph_;
}

}  // namespace tune
