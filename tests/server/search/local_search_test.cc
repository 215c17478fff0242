#include "server/search/local_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

TEST(LocalSearch, FindsTheOptimumOfASeparableSpace) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SyntheticSpace space({6, 6, 6, 6});
    EXPECT_EQ(BestOf("local_search", seed, 250, &space), 1) << seed;  // of 1,296
  }
}

int Differences(const v1::Configuration& a, const v1::Configuration& b) {
  int differences = 0;
  for (int i = 0; i < a.decisions_size(); ++i) {
    differences += a.decisions(i).option() != b.decisions(i).option() ? 1 : 0;
  }
  return differences;
}

TEST(LocalSearch, ARoundLooksAtNeighboursOfTheBestOfTheRoundBefore) {
  SyntheticSpace space({6, 6, 6, 6});
  LocalSearch search(4, &space);
  const std::vector<v1::Candidate> all = RunSearch(search, 10);
  const auto current = std::min_element(all.begin(), all.begin() + 5, [](const auto& a, const auto& b) {
    return a.evaluation().measurement().median() < b.evaluation().measurement().median();
  });
  for (int i = 5; i < 10; ++i) {
    EXPECT_EQ(Differences(all[i].configuration(), current->configuration()), 1) << i;
  }
}

TEST(LocalSearch, StartsAgainWhenNothingIsGained) {
  SyntheticSpace space({9, 9, 9, 9, 9});  // 40 neighbours
  LocalSearch search(4, &space);
  std::vector<v1::Candidate> all;
  for (int i = 0; i < 100; ++i) {
    v1::Candidate candidate = Evaluated(search.Propose(1).candidates[0]);
    candidate.mutable_evaluation()->mutable_measurement()->set_median(1 + (i > 0));  // none beats the default
    ASSERT_TRUE(search.Observe(candidate).ok());
    all.push_back(candidate);
  }
  const int restart = static_cast<int>(LocalSearch::kRound) * (1 + LocalSearch::kPatience);
  for (int i = LocalSearch::kRound; i < restart; ++i) {
    EXPECT_EQ(Differences(all[i].configuration(), all[0].configuration()), 1) << i;
  }
  int apart = 0;
  for (int i = restart; i < restart + LocalSearch::kRound; ++i) {
    apart += Differences(all[i].configuration(), all[0].configuration());
  }
  EXPECT_GT(apart, 2 * LocalSearch::kRound);
}

}  // namespace
}  // namespace tune
