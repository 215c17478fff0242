#include "server/search/portfolio.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/decision/configuration.h"
#include "server/search/ant_colony.h"
#include "server/search/differential_evolution.h"
#include "server/search/local_search.h"
#include "server/search/tree_search.h"

namespace tune {
namespace {

constexpr int kMembers = 4;
constexpr uint64_t kTurnStream = uint64_t{1} << 61;  // apart from the candidates' random sequences

std::set<std::string> FingerprintsOf(const std::vector<v1::Configuration>& configurations) {
  std::set<std::string> fingerprints;
  for (const v1::Configuration& configuration : configurations) {
    fingerprints.insert(ConfigurationFingerprint(configuration));
  }
  return fingerprints;
}

}  // namespace

Portfolio::Portfolio(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds,
                     const std::vector<v1::KnownResults>& known)
    : ProposalSequence(space, seeds),
      seed_(options.seed()),
      seeds_(FingerprintsOf(seeds)),
      bandit_(kMembers) {
  members_.push_back({"tree", std::make_unique<TreeSearch>(options, space)});
  members_.push_back(
      {"ants", std::make_unique<AntColony>(options, space, std::vector<v1::Configuration>(), known)});
  members_.push_back({"local search", std::make_unique<LocalSearch>(seed_, space)});
  members_.push_back({"differential evolution", std::make_unique<DifferentialEvolution>(seed_, space)});
  PlanRound();
}

int64_t Portfolio::Horizon() const {
  int64_t horizon = first_ + kRound;
  for (const Member& member : members_) horizon = std::min(horizon, member.strategy->horizon());
  return horizon;
}

std::optional<ProposalSequence::Entry> Portfolio::Draw(int64_t index) {
  const Member& member = members_[turns_[index - first_]];
  std::optional<Entry> entry = member.strategy->Suggest(explaining());
  if (entry.has_value()) entry->origin = absl::StrCat(member.name, ": ", entry->origin);
  return entry;
}

void Portfolio::Generated(int64_t index) {
  for (const Member& member : members_) member.strategy->Follow(entries().at(index));
}

void Portfolio::Observed(int64_t index) {
  for (const Member& member : members_) member.strategy->FollowResult(index, entries().at(index));
  if (++observed_ == kRound) EndRound();
}

void Portfolio::EndRound() {
  for (auto it = entries().lower_bound(first_); it != entries().end(); ++it) {
    const std::optional<double>& seconds = it->second.seconds;
    const bool gained = seconds.has_value() && (!best_seconds_.has_value() || *seconds < *best_seconds_);
    if (gained) best_seconds_ = seconds;
    const bool drawn =
        it->first > 0 && seeds_.count(ConfigurationFingerprint(ConfigurationOf(it->second.trace))) == 0;
    if (drawn) bandit_.Add(turns_[it->first - first_], gained);
  }
  first_ += kRound;
  observed_ = 0;
  PlanRound();
  ReleaseBelow(first_);
}

void Portfolio::PlanRound() {
  Random random(seed_, kTurnStream + first_);
  AucBandit planned = bandit_;
  turns_.clear();
  while (static_cast<int64_t>(turns_.size()) < kRound) {
    turns_.push_back(planned.Choose(&random));
    planned.Add(turns_.back(), false);
  }
}

void Portfolio::DescribeState(v1::Explanation* explanation) {
  std::string text = "credit of the strategies (area under the curve):\n";
  for (int i = 0; i < kMembers; ++i) {
    absl::StrAppendFormat(&text, "  %.3f %s\n", bandit_.Credit(i), members_[i].name);
  }
  explanation->set_tree(text);
}

}  // namespace tune
