#include "server/search/parameter_search_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "common/decision/configuration.h"
#include "common/parameters/parameter_walk.h"
#include "server/search/search_options.h"
#include "server/search/strategy.h"
#include "tests/common/parameters/sample_spaces.h"

namespace tune {
namespace {

std::shared_ptr<const ParameterSpace> MakeParameterSpace(const ParameterSpaceDescription& description) {
  return std::make_shared<const ParameterSpace>(ParameterSpace::Make(description).value());
}

v1::SearchOptions OptionsOf(const std::string& strategy, uint64_t seed) {
  v1::SearchOptions options;
  options.set_strategy(strategy);
  options.set_seed(seed);
  FillDefaults(&options);
  return options;
}

// The configuration of recorded decisions; it is checked to be one.
ParameterChoice ReplayChoice(const ParameterSpace& space, const v1::Configuration& configuration) {
  ReplayChooser chooser(configuration);
  const auto choice = WalkParameters(space, {}, chooser);
  EXPECT_TRUE(choice.ok()) << choice.status();
  EXPECT_TRUE(chooser.CheckAllUsed().ok());
  return choice.value_or(ParameterChoice());
}

// Shortest where every parameter has the second of its values.
double SecondsOfChoice(const ParameterChoice& choice) {
  double seconds = 1;
  for (const int value : choice) seconds += std::abs(value - 1);
  return seconds;
}

v1::Candidate EvaluatedChoice(const ParameterSpace& space, const Proposal& proposal) {
  v1::Candidate candidate;
  candidate.set_index(proposal.index);
  candidate.set_state(v1::EVALUATED);
  candidate.set_origin(v1::SEARCH);
  *candidate.mutable_configuration() = proposal.configuration;
  candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
  candidate.mutable_evaluation()->mutable_measurement()->set_median(
      SecondsOfChoice(ReplayChoice(space, proposal.configuration)));
  return candidate;
}

// Takes the last allowed option, and keeps the numbers of walks.
class CountingWalk : public Chooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    for (size_t i = 0; i < point.options.size(); ++i) EXPECT_EQ(point.walks[i] > 0, point.allowed[i]);
    sums.push_back(std::accumulate(point.walks.begin(), point.walks.end(), 0.0));
    const auto last = std::find(point.allowed.rbegin(), point.allowed.rend(), true);
    const int chosen = static_cast<int>(point.allowed.rend() - last) - 1;
    chosen_walks.push_back(point.walks[chosen]);
    return chosen;
  }

  std::vector<double> sums;
  std::vector<double> chosen_walks;
};

TEST(ParameterSearchSpace, PointsSayHowManyConfigurationsOptionsLeadTo) {
  const ParameterSpace space = ParameterSpace::Make(testing::GemmSpace()).value();
  CountingWalk chooser;
  ASSERT_TRUE(WalkParameters(space, {}, chooser).ok());
  ASSERT_FALSE(chooser.sums.empty());
  EXPECT_EQ(chooser.sums[0], static_cast<double>(space.count()));
  for (size_t i = 1; i < chooser.sums.size(); ++i)
    EXPECT_EQ(chooser.sums[i], chooser.chosen_walks[i - 1]) << i;
  EXPECT_EQ(chooser.chosen_walks.back(), 1);
}

// What was proposed, in order, until the budget or the space ends.
std::vector<v1::Candidate> SearchParameters(Strategy& strategy, const ParameterSpace& space, int budget) {
  std::vector<v1::Candidate> all;
  while (static_cast<int>(all.size()) < budget) {
    const Proposals proposals = strategy.Propose(std::min<int>(10, budget - static_cast<int>(all.size())));
    if (proposals.candidates.empty()) break;
    for (const Proposal& proposal : proposals.candidates) {
      EXPECT_TRUE(proposal.failure.ok()) << proposal.failure;
      all.push_back(EvaluatedChoice(space, proposal));
      EXPECT_TRUE(strategy.Observe(all.back()).ok());
    }
  }
  return all;
}

class ParameterSearchSpaceTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, ParameterSearchSpaceTest, ::testing::Values("ants", "random"));

TEST_P(ParameterSearchSpaceTest, CandidateZeroIsTheDefault) {
  const auto space = MakeParameterSpace(testing::Describe(
      {{"tile", "[1, 2, 4, 8]"}, {"fixed", "[3]"}, {"precision", "['half', 'float']"}}, {"tile > 1"}));
  ParameterSearchSpace middle(space, {});
  EXPECT_EQ(
      PrintConfiguration(
          MakeStrategy(OptionsOf(GetParam(), 5), &middle).value()->Propose(1).candidates[0].configuration),
      "tile = 2\nprecision = 'half'\n");
  ParameterSearchSpace given(space, {0, 0, 1});  // a tile of 1 is not valid
  EXPECT_EQ(
      PrintConfiguration(
          MakeStrategy(OptionsOf(GetParam(), 5), &given).value()->Propose(1).candidates[0].configuration),
      "tile = 2\nprecision = 'float'\n");
}

TEST_P(ParameterSearchSpaceTest, EachValidConfigurationIsProposedOnce) {
  const auto space = MakeParameterSpace(testing::Describe(
      {{"x", "[1, 2, 4, 8, 16]"}, {"y", "[1, 2, 4, 8]"}, {"z", "[0, 1, 2]"}, {"free", "[0, 1]"}},
      {"8 <= x * y <= 32", "z == 0 or y > z"}));
  ParameterSearchSpace search(space, {});
  auto strategy = MakeStrategy(OptionsOf(GetParam(), 9), &search).value();
  std::set<absl::uint128> proposed;
  const std::vector<v1::Candidate> all = SearchParameters(*strategy, *space, 1000);
  for (const v1::Candidate& candidate : all)
    proposed.insert(*space->IndexOf(ReplayChoice(*space, candidate.configuration())));
  EXPECT_EQ(proposed.size(), all.size());
  EXPECT_EQ(proposed.size(), space->count());
  EXPECT_TRUE(strategy->Propose(1).exhausted);
}

// The state of a strategy is a function of what was observed, over this space, too.
TEST_P(ParameterSearchSpaceTest, ARebuiltStrategyProposesTheSame) {
  const auto space = MakeParameterSpace(testing::GemmSpace());
  ParameterSearchSpace search(space, {});
  auto strategy = MakeStrategy(OptionsOf(GetParam(), 21), &search).value();
  const std::vector<v1::Candidate> history = SearchParameters(*strategy, *space, 60);
  auto rebuilt = MakeStrategy(OptionsOf(GetParam(), 21), &search).value();
  for (const v1::Candidate& candidate : history) ASSERT_TRUE(rebuilt->Observe(candidate).ok());
  const Proposals wanted = strategy->Propose(10);
  const Proposals found = rebuilt->Propose(10);
  ASSERT_EQ(found.candidates.size(), wanted.candidates.size());
  for (size_t i = 0; i < wanted.candidates.size(); ++i) {
    EXPECT_EQ(PrintConfiguration(found.candidates[i].configuration),
              PrintConfiguration(wanted.candidates[i].configuration));
  }
}

TEST(ParameterSearchSpaceAntsTest, AntsLearnInABillion) {
  const auto space = MakeParameterSpace(testing::BillionSpace());
  const auto best = [&](const char* name) {
    ParameterSearchSpace search(space, {});
    auto strategy = MakeStrategy(OptionsOf(name, 4), &search).value();
    double least = HUGE_VAL;
    for (const v1::Candidate& candidate : SearchParameters(*strategy, *space, 200))
      least = std::min(least, candidate.evaluation().measurement().median());
    return least;
  };
  EXPECT_LT(best("ants"), best("random"));
}

}  // namespace
}  // namespace tune
