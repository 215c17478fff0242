#include "libtune/search/epsilon_greedy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace libtune {
namespace {

TEST(EpsilonGreedy, TriesEachChoiceOnceFromTheFirstOn) {
  EpsilonGreedy search(4, 2, {});
  Random random(1);
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    order.push_back(*search.Next(&random));
    search.Observe(order.back(), 1);
  }
  EXPECT_THAT(order, testing::ElementsAre(2, 3, 0, 1));
}

TEST(EpsilonGreedy, ThenTakesTheBest) {
  EpsilonGreedy search(3, 0, {0, 0.1});
  Random random(1);
  for (const double seconds : {3., 1., 2.}) search.Observe(*search.Next(&random), seconds);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(search.Next(&random), 1);
  search.Observe(2, 0.5);
  EXPECT_EQ(search.Next(&random), 2);
}

TEST(EpsilonGreedy, TriesNothingNewWhereItMayNot) {
  EpsilonGreedy search(3, 1, {1, 0});
  Random random(1);
  EXPECT_EQ(search.Next(&random, false), 1);  // something has to be taken
  search.Observe(1, 5);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(search.Next(&random, false), 1);
  EXPECT_EQ(search.Next(&random, true), 2);
}

TEST(EpsilonGreedy, ExploresAsOftenAsEpsilonSays) {
  EpsilonGreedy search(2, 0, {0.3, 0});
  Random random(5);
  search.Observe(0, 1);
  search.Observe(1, 2);
  int others = 0;
  for (int i = 0; i < 10000; ++i) others += *search.Next(&random);
  EXPECT_NEAR(others, 1500, 150);  // half of what is drawn is the best one
}

TEST(EpsilonGreedy, SettlesWhenEpsilonIsBelowAHundredth) {
  EpsilonGreedy search(2, 0, {0.05, 0.1});
  Random random(5);
  int draws = 0;
  for (; !search.Settled(); ++draws) search.Observe(*search.Next(&random), 1);
  EXPECT_EQ(draws, 16);  // 0.05 * 0.9^16 < 0.01
}

TEST(EpsilonGreedy, OneChoiceIsSettledOnceItIsTried) {
  EpsilonGreedy search(1, 0, {});
  Random random(5);
  EXPECT_FALSE(search.Settled());
  search.Observe(*search.Next(&random), 1);
  EXPECT_TRUE(search.Settled());
}

TEST(EpsilonGreedy, NeverTakesWhatIsRejected) {
  EpsilonGreedy search(4, 0, {1, 0});
  Random random(9);
  search.Reject(0);
  search.Observe(1, 1);
  search.Reject(1);
  for (int i = 0; i < 200; ++i) {
    const int choice = *search.Next(&random);
    EXPECT_GE(choice, 2);
    search.Observe(choice, 5);
  }
  search.Reject(2);
  search.Reject(2);
  search.Reject(3);
  EXPECT_EQ(search.Next(&random), std::nullopt);
}

}  // namespace
}  // namespace libtune
