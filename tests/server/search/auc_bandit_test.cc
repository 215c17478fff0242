#include "server/search/auc_bandit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tune {
namespace {

TEST(AucBandit, LateGainsCountMore) {
  AucBandit bandit(3);
  EXPECT_EQ(bandit.Credit(0), 0);
  for (const bool gained : {true, false, true}) bandit.Add(0, gained);
  for (const bool gained : {true, true, false, false}) bandit.Add(1, gained);
  EXPECT_DOUBLE_EQ(bandit.Credit(0), (1 + 3) * 2.0 / (3 * 4));
  EXPECT_DOUBLE_EQ(bandit.Credit(1), (1 + 2) * 2.0 / (4 * 5));
  bandit.Add(1, true);
  EXPECT_DOUBLE_EQ(bandit.Credit(1), (1 + 2 + 5) * 2.0 / (5 * 6));
  EXPECT_EQ(bandit.Credit(2), 0);
}

TEST(AucBandit, WhatWasNeverUsedComesFirst) {
  AucBandit bandit(3);
  Random random(1);
  std::set<int> used;
  for (int i = 0; i < 3; ++i) {
    const int chosen = bandit.Choose(&random);
    EXPECT_TRUE(used.insert(chosen).second) << chosen << " again";
    bandit.Add(chosen, true);
  }
}

// Technique 0 gains at every use, technique 1 never: the scores are 1 + 0.05 sqrt(2 log2 |H| / H_0) and
// 0.05 sqrt(2 log2 |H| / H_1), and the second does not reach the first while H has 500 uses at most.
TEST(AucBandit, ExploitsWhatGains) {
  AucBandit bandit(2);
  Random random(1);
  bandit.Add(0, true);
  bandit.Add(1, false);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(bandit.Choose(&random), 0) << i;
    bandit.Add(0, true);
  }
}

// Without gains the one that was used less is next; ties are drawn.
TEST(AucBandit, ExploresWhatWasUsedLess) {
  AucBandit bandit(2);
  Random random(1);
  for (int i = 0; i < 3; ++i) bandit.Add(0, false);
  for (int i = 0; i < 2; ++i) bandit.Add(1, false);
  EXPECT_EQ(bandit.Choose(&random), 1);
  bandit.Add(1, false);
  std::set<int> drawn;
  for (int i = 0; i < 20; ++i) drawn.insert(bandit.Choose(&random));
  EXPECT_EQ(drawn.size(), 2u);
}

// A credit of 0.04 against exploration: with |H| = 8, the second technique's one use is worth
// 0.05 sqrt(2 * 3 / 1) = 0.122, the first one's seven 0.05 sqrt(2 * 3 / 7) = 0.046.
TEST(AucBandit, CreditAndExplorationAreAdded) {
  AucBandit bandit(2);
  Random random(1);
  bandit.Add(1, false);
  bandit.Add(0, true);
  for (int i = 0; i < 6; ++i) bandit.Add(0, false);
  EXPECT_DOUBLE_EQ(bandit.Credit(0), 2.0 / (7 * 8));  // 0.036: 0.082 in all
  EXPECT_EQ(bandit.Choose(&random), 1);
  bandit.Add(0, true);  // 9 / 36 = 0.25
  EXPECT_EQ(bandit.Choose(&random), 0);
}

TEST(AucBandit, ForgetsWhatLeftTheWindow) {
  AucBandit bandit(2);
  bandit.Add(0, true);
  for (size_t i = 1; i < AucBandit::kWindow; ++i) bandit.Add(1, false);
  EXPECT_EQ(bandit.Credit(0), 1);
  bandit.Add(1, false);
  EXPECT_EQ(bandit.Credit(0), 0);
}

}  // namespace
}  // namespace tune
