#include "server/search/portfolio.h"

#include <gtest/gtest.h>

#include <map>

#include "common/decision/configuration.h"
#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

const std::vector<std::string>& Members() {
  static const std::vector<std::string> kMembers = {"tree", "ants", "local search", "differential evolution"};
  return kMembers;
}

// Which member drew each of the candidates from 1 on, by their explanations.
std::vector<int> MembersOf(const std::vector<v1::Candidate>& all, Space* space) {
  std::vector<int> members = {-1};
  for (size_t i = 1; i < all.size(); ++i) {
    Portfolio explained(Options("portfolio", 3), space);
    for (size_t before = 0; before < i; ++before) EXPECT_TRUE(explained.Observe(all[before]).ok());
    const std::string origin = explained.ExplainNext()->origin();
    for (int member = 0; member < 4; ++member) {
      if (origin.find(Members()[member] + ": ") == 0) members.push_back(member);
    }
    EXPECT_EQ(members.size(), i + 1) << origin;
  }
  return members;
}

TEST(Portfolio, CreditsTheMembersThatDrewNewBests) {
  SyntheticSpace space({6, 6, 6, 6});
  Portfolio portfolio(Options("portfolio", 3), &space);
  const std::vector<v1::Candidate> all = RunSearch(portfolio, 60);
  const std::vector<int> members = MembersOf(all, &space);
  AucBandit bandit(4);
  std::map<int, int> turns;
  double best = all[0].evaluation().measurement().median();
  for (size_t i = 1; i < all.size(); ++i) {
    const double seconds = all[i].evaluation().measurement().median();
    bandit.Add(members[i], seconds < best);
    best = std::min(best, seconds);
    ++turns[members[i]];
  }
  for (int member = 0; member < 4; ++member) {
    EXPECT_DOUBLE_EQ(portfolio.bandit().Credit(member), bandit.Credit(member)) << Members()[member];
    EXPECT_GE(turns[member], 2) << Members()[member];
  }
}

TEST(Portfolio, SeedsAreNobodysGain) {
  SyntheticSpace space({6, 6, 6, 6});
  std::vector<v1::Configuration> seeds;
  for (const int option : {5, 4, 3, 2}) {
    seeds.push_back(*ParseConfiguration(absl::StrCat("d0 = 3\nd1 = 0\nd2 = 0\nd3 = ", option)));
  }
  Portfolio portfolio(Options("portfolio", 3), &space, seeds);
  const Proposals proposals = portfolio.Propose(5);
  ASSERT_EQ(proposals.candidates.size(), 5u);
  for (const Proposal& proposal : proposals.candidates) {
    v1::Candidate faster = Evaluated(proposal);
    faster.mutable_evaluation()->mutable_measurement()->set_median(10.0 - proposal.index);
    ASSERT_TRUE(portfolio.Observe(faster).ok());
  }
  for (int member = 0; member < 4; ++member) EXPECT_EQ(portfolio.bandit().Credit(member), 0) << member;
}

// The members know what the others found: local search begins at the best of all.
TEST(Portfolio, MembersGoOnFromWhatOthersFound) {
  SyntheticSpace space({6, 6, 6, 6});
  std::vector<v1::Candidate> all;
  Portfolio portfolio(Options("portfolio", 3), &space);
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    Portfolio explained(Options("portfolio", 3), &space);
    for (const v1::Candidate& candidate : all) ASSERT_TRUE(explained.Observe(candidate).ok());
    const std::string origin = explained.ExplainNext()->origin();
    int64_t best = 0;
    for (int64_t before = 0; before < i - i % 5; ++before) {
      if (all[before].evaluation().measurement().median() < all[best].evaluation().measurement().median())
        best = before;
    }
    if (i >= 10 && origin.find("local search: ") == 0) {
      EXPECT_EQ(origin.find(absl::StrCat("local search: a variant of candidate ", best, " in ")), 0u)
          << origin;
      ++found;
    }
    all.push_back(Evaluated(portfolio.Propose(1).candidates[0]));
    ASSERT_TRUE(portfolio.Observe(all.back()).ok());
  }
  EXPECT_GE(found, 2);
}

TEST(Portfolio, FindsTheOptimumOfASeparableSpace) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SyntheticSpace space({6, 6, 6, 6});
    EXPECT_EQ(BestOf("portfolio", seed, 200, &space), 1) << seed;  // of 1,296
  }
}

}  // namespace
}  // namespace tune
