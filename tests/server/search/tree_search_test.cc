#include "server/search/tree_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/decision/configuration.h"
#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

// n = sigma k + b.
v1::SearchOptions TreeOptionsOf(double sigma, double base_offset) {
  v1::SearchOptions options = Options("tree", 3);
  options.set_sigma(sigma);
  options.set_base_offset(base_offset);
  return options;
}

v1::Candidate Sample(int index, int d0, int d1, double seconds) {
  Proposal proposal;
  proposal.index = index;
  proposal.configuration = *ParseConfiguration(absl::StrCat("d0 = ", d0, "\nd1 = ", d1));
  v1::Candidate candidate = Evaluated(proposal);
  candidate.mutable_evaluation()->mutable_measurement()->set_median(seconds);
  return candidate;
}

int OptionOf(const Proposal& proposal, int decision) {
  return proposal.configuration.decisions(decision).option()[0] - '0';
}

TEST(TreeSearch, ARoundHasSigmaTimesTheDecisionsAndTheOffset) {
  SyntheticSpace space({4, 4, 1, 4});
  TreeSearch search(TreeOptionsOf(1.5, 2), &space);
  EXPECT_EQ(search.Propose(100).candidates.size(), 7u) << "1.5 * 3 + 2 = 6.5; d2 has no choice";
  EXPECT_EQ(search.round_size(), 7);
}

TEST(TreeSearch, ConditionalDecisionsCountWhenTheyWereSeen) {
  SyntheticSpace space({2, 4});
  space.conditional = true;
  TreeSearch search(TreeOptionsOf(1, 8), &space);
  const std::vector<v1::Candidate> all = RunSearch(search, 10);
  EXPECT_EQ(search.round_size(), 11) << "`extra` is asked where d0 = 1";
}

// The first two splits of the four samples, in powers of two:
//   d0: {3, 3 | 2, 0} leaves 2 as the sum of squared errors, d1: {3, 2 | 3, 0} leaves 0.5 + 4.5;
//   then d1: {2 | 0} leaves 0.
// Options are at log2(1 + number), 0 to 3, so the thresholds are at 1.5, between 1 and 2.
TEST(TreeSearch, NarrowsToTheBestLeaf) {
  SyntheticSpace space({8, 8});
  TreeSearch search(TreeOptionsOf(1, 2), &space);
  ASSERT_TRUE(search.Observe(Sample(0, 0, 0, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(1, 0, 7, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(2, 7, 0, 4)).ok());
  ASSERT_TRUE(search.Observe(Sample(3, 7, 7, 1)).ok());
  const Proposals round = search.Propose(100);
  ASSERT_EQ(round.candidates.size(), 4u);
  for (const Proposal& proposal : round.candidates) {
    EXPECT_GE(OptionOf(proposal, 0), 2);
    EXPECT_GE(OptionOf(proposal, 1), 2);
  }
  const std::string tree = search.ExplainState().tree();
  EXPECT_THAT(tree, ::testing::HasSubstr("d0 not in {0, 1}\n  d1 not in {0, 1}"));
  // A new sample of the region that is slow narrows it further, and R is always a part of the whole space:
  // what the first tree left out comes back where the new tree says so.
  for (const Proposal& proposal : round.candidates) {
    v1::Candidate slow = Evaluated(proposal);
    slow.mutable_evaluation()->mutable_measurement()->set_median(16);
    ASSERT_TRUE(search.Observe(slow).ok());
  }
  EXPECT_NE(search.ExplainState().tree(), tree);
}

TEST(TreeSearch, DropsTheLastConstraintWhenTheRegionIsUsedUp) {
  SyntheticSpace space({3, 3});  // at 0, 1 and 1.58: thresholds between 0 and 1.58 are at 0.79
  TreeSearch search(TreeOptionsOf(1, 2), &space);
  ASSERT_TRUE(search.Observe(Sample(0, 2, 0, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(1, 2, 2, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(2, 0, 2, 4)).ok());
  ASSERT_TRUE(search.Observe(Sample(3, 0, 0, 1)).ok());
  // d0 = 0 and d1 = 0 is the region, which has been seen; d0 = 0 has one configuration left.
  const Proposals round = search.Propose(100);
  ASSERT_EQ(round.candidates.size(), 4u);
  EXPECT_EQ(PrintConfiguration(round.candidates[0].configuration), "d0 = 0\nd1 = 1\n");
  for (size_t i = 1; i < 4; ++i) EXPECT_GT(OptionOf(round.candidates[i], 0), 0) << i;
}

// Where d1 may be at most d0, d1 = 4 .. 7 can be reached with large d0 alone: a walk that chose a small d0 is
// none of the region's and is never proposed.
TEST(TreeSearch, KeepsToTheRegionWhereDecisionsDependOnEachOther) {
  SyntheticSpace space({8, 8});
  space.masked = true;
  TreeSearch search(TreeOptionsOf(1, 2), &space);
  ASSERT_TRUE(search.Observe(Sample(0, 7, 0, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(1, 0, 0, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(2, 7, 3, 8)).ok());
  ASSERT_TRUE(search.Observe(Sample(3, 7, 7, 1)).ok());
  // {8, 8, 8 | 1} by d1 at 2.5, between 4 and 5 (2.32 and 2.58).
  const Proposals round = search.Propose(100);
  ASSERT_EQ(round.candidates.size(), 4u);
  for (const Proposal& proposal : round.candidates) {
    EXPECT_GE(OptionOf(proposal, 1), 5) << PrintConfiguration(proposal.configuration);
    EXPECT_GE(OptionOf(proposal, 0), OptionOf(proposal, 1));
  }
}

v1::Candidate FailedSample(int index, int d0, int d1) {
  v1::Candidate failed = Sample(index, d0, d1, 1);
  failed.mutable_evaluation()->set_outcome(v1::RUNTIME);
  return failed;
}

TEST(TreeSearch, FailedCandidatesAreAsSlowAsTheSlowest) {
  SyntheticSpace space({8, 8});
  TreeSearch search(TreeOptionsOf(1, 2), &space);
  ASSERT_TRUE(search.Observe(Sample(0, 0, 0, 1)).ok());
  ASSERT_TRUE(search.Observe(FailedSample(1, 4, 0)).ok());
  ASSERT_TRUE(search.Observe(FailedSample(2, 5, 0)).ok());
  ASSERT_TRUE(search.Observe(Sample(3, 7, 0, 4)).ok());
  // {1 | 4, 4, 4}, between 0 and 4: no further split.
  EXPECT_EQ(search.ExplainState().tree(), "the fastest leaf: 1 s (1 candidates)\n  d0 in {0, 1}\n");
}

TEST(TreeSearch, NothingIsNarrowedWhileAllFailed) {
  SyntheticSpace space({8, 8});
  TreeSearch search(TreeOptionsOf(1, 2), &space);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(search.Observe(FailedSample(i, i, 0)).ok());
  EXPECT_EQ(search.ExplainState().tree(), "");
  EXPECT_EQ(search.Propose(100).candidates.size(), 4u);
}

}  // namespace
}  // namespace tune
