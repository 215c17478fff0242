#include "server/search/differential_evolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

TEST(DifferentialEvolution, FindsTheOptimumOfASeparableSpace) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SyntheticSpace space({6, 6, 6, 6});
    found += BestOf("differential_evolution", seed, 250, &space) == 1 ? 1 : 0;  // of 1,296
  }
  EXPECT_GE(found, 4);
}

TEST(DifferentialEvolution, WaitsForItsGeneration) {
  SyntheticSpace space({6, 6, 6, 6});
  DifferentialEvolution search(1, &space);
  const Proposals first = search.Propose(100);
  ASSERT_EQ(static_cast<int64_t>(first.candidates.size()), DifferentialEvolution::kPopulation);
  for (const Proposal& proposal : first.candidates) ASSERT_TRUE(search.Observe(Evaluated(proposal)).ok());
  EXPECT_EQ(static_cast<int64_t>(search.Propose(100).candidates.size()), DifferentialEvolution::kPopulation);
}

// Once all individuals agree in d0, no difference leads away from its option.
TEST(DifferentialEvolution, TrialsAreMadeOfThePopulation) {
  SyntheticSpace space({6, 6, 6, 6});
  DifferentialEvolution search(1, &space);
  for (int i = 0; i < DifferentialEvolution::kPopulation; ++i) {
    Proposal proposal;
    proposal.index = i;
    for (int decision = 0; decision < 4; ++decision) {
      v1::Decision* taken = proposal.configuration.add_decisions();
      taken->set_key(absl::StrCat("d", decision));
      taken->set_option(absl::StrCat(decision == 0 ? 4 : (i + decision * i) % 6));
    }
    ASSERT_TRUE(search.Observe(Evaluated(proposal)).ok());
  }
  const Proposals trials = search.Propose(100);
  ASSERT_EQ(static_cast<int64_t>(trials.candidates.size()), DifferentialEvolution::kPopulation);
  for (const Proposal& trial : trials.candidates) EXPECT_EQ(trial.configuration.decisions(0).option(), "4");
  EXPECT_THAT(search.ExplainNext().status().message(), ::testing::HasSubstr("waits"));
}

}  // namespace
}  // namespace tune
