#include "libtune/search/hierarchical_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace libtune {
namespace {

SearchOptions Seeded(uint64_t seed) {
  SearchOptions options;
  options.seed = seed;
  return options;
}

// A platform; under the second one a switch and, below that switch, another; numbers for each.
class HierarchicalSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(space_.AddNominal("platform", {"cpu", "gpu"}).ok());
    ASSERT_TRUE(space_.AddNominal("shared", {"no", "yes"}).ok());
    ASSERT_TRUE(space_.AddNominal("unrolled", {"no", "yes"}).ok());
    ASSERT_TRUE(space_.AddSteps("threads", 1, 16, 1, 1).ok());
    ASSERT_TRUE(space_.AddSteps("tile", 32, 256, 32, 32).ok());
    ASSERT_TRUE(space_.AddCondition(1, 0, 1).ok());
    ASSERT_TRUE(space_.AddCondition(2, 1, 1).ok());
    ASSERT_TRUE(space_.AddCondition(3, 0, 0).ok());
    ASSERT_TRUE(space_.AddCondition(4, 0, 1).ok());
  }
  static double Seconds(const Values& at) {
    if (at[0] == 0) return 20 / (1 + at[3] / 4);
    double seconds = 3 + std::fabs(at[4] - 192) / 64;
    if (at[1] == 1) seconds *= at[2] == 1 ? 0.5 : 0.8;
    return seconds;
  }
  double BestOfAll() const {
    double best = 1e9;
    for (double p : {0., 1.}) {
      for (double s : {0., 1.}) {
        for (double u : {0., 1.}) {
          for (double threads = 1; threads <= 16; ++threads) {
            for (double tile = 32; tile <= 256; tile += 32)
              best = std::min(best, Seconds({p, s, u, threads, tile}));
          }
        }
      }
    }
    return best;
  }

  ParameterSpace space_;
};

TEST_F(HierarchicalSearchTest, FindsTheBestOfAll) {
  const SearchGraph graph(space_);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    HierarchicalSearch search(&graph, space_.Defaults(), nullptr, Seeded(seed));
    while (!search.settled()) search.Observe(Seconds(search.Next()));
    EXPECT_DOUBLE_EQ(search.best_seconds(), BestOfAll()) << seed;
    EXPECT_LT(search.tries(), 60) << seed;
    EXPECT_EQ(search.Next(), *search.best());
  }
}

TEST_F(HierarchicalSearchTest, StartsWithWhatItIsGiven) {
  const SearchGraph graph(space_);
  const Values start = {1, 1, 1, 1, 96};
  HierarchicalSearch search(&graph, start, nullptr, Seeded(1));
  EXPECT_EQ(search.Next(), start);
}

TEST_F(HierarchicalSearchTest, ParametersThatDoNotExistKeepTheirDefaults) {
  const SearchGraph graph(space_);
  HierarchicalSearch search(&graph, space_.Defaults(), nullptr, Seeded(1));
  while (!search.settled()) {
    const Values& at = search.Next();
    if (at[0] == 0) {
      EXPECT_THAT((std::vector<double>{at[1], at[2], at[4]}), testing::ElementsAre(0, 0, 32));
    } else {
      EXPECT_EQ(at[3], 1);
    }
    EXPECT_LE(at[2], at[1]);
    search.Observe(Seconds(at));
  }
}

TEST_F(HierarchicalSearchTest, IsRepeatable) {
  const SearchGraph graph(space_);
  std::vector<std::vector<Values>> runs;
  for (int run = 0; run < 2; ++run) {
    HierarchicalSearch search(&graph, space_.Defaults(), nullptr, Seeded(5));
    runs.emplace_back();
    for (int i = 0; i < 40; ++i) {
      runs.back().push_back(search.Next());
      search.Observe(Seconds(search.Next()));
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST_F(HierarchicalSearchTest, NothingOfARejectedChoiceIsRun) {
  const SearchGraph graph(space_);
  HierarchicalSearch search(
      &graph, space_.Defaults(), [](int parameter, const Values& at) { return parameter == 0 && at[0] == 1; },
      Seeded(1));
  while (!search.settled()) {
    EXPECT_EQ(search.Next()[0], 0);
    search.Observe(Seconds(search.Next()));
  }
  EXPECT_DOUBLE_EQ(search.best_seconds(), 4);
}

TEST_F(HierarchicalSearchTest, AChoiceWithNothingBelowItIsRejectedToo) {
  const SearchGraph graph(space_);
  HierarchicalSearch search(
      &graph, space_.Defaults(), [](int parameter, const Values&) { return parameter == 1; }, Seeded(1));
  while (!search.settled()) {
    EXPECT_EQ(search.Next()[0], 0);
    search.Observe(Seconds(search.Next()));
  }
}

TEST_F(HierarchicalSearchTest, AllRejectedLeavesTheStart) {
  const SearchGraph graph(space_);
  const Values start = {1, 0, 0, 1, 64};
  HierarchicalSearch search(
      &graph, start, [](int, const Values&) { return true; }, Seeded(1));
  EXPECT_EQ(search.Next(), start);
  EXPECT_TRUE(search.settled());
  search.Observe(1);
  EXPECT_EQ(*search.best(), start);
}

TEST_F(HierarchicalSearchTest, DroppedChoicesDoNotCount) {
  const SearchGraph graph(space_);
  HierarchicalSearch search(&graph, space_.Defaults(), nullptr, Seeded(1));
  while (!search.settled()) search.Observe(Seconds(search.Next()));
  ASSERT_EQ((*search.best())[0], 1);
  search.Drop(0, 1);
  ASSERT_NE(search.best(), nullptr);
  EXPECT_EQ((*search.best())[0], 0);
  while (!search.settled()) {
    EXPECT_EQ(search.Next()[0], 0);
    search.Observe(Seconds(search.Next()));
  }
  EXPECT_DOUBLE_EQ(search.best_seconds(), 4);
}

TEST_F(HierarchicalSearchTest, RejectedConfigurationsAreAvoided) {
  const SearchGraph graph(space_);
  HierarchicalSearch search(&graph, space_.Defaults(), nullptr, Seeded(1));
  while (!search.settled()) {
    if (search.Next()[4] > 128) {
      search.Reject();
    } else {
      search.Observe(Seconds(search.Next()));
    }
  }
  EXPECT_LE((*search.best())[4], 128);
  EXPECT_LE(search.best_seconds(), Seconds({1, 1, 1, 1, 96}));
}

TEST(HierarchicalSearch, NoParametersSettleWithTheFirstTry) {
  const ParameterSpace space;
  const SearchGraph graph(space);
  HierarchicalSearch search(&graph, {}, nullptr, {});
  EXPECT_TRUE(search.Next().empty());
  search.Observe(1);
  EXPECT_TRUE(search.settled());
}

TEST(HierarchicalSearch, AThousandParametersOfEachKind) {
  for (const bool nominal : {true, false}) {
    ParameterSpace space;
    for (int i = 0; i < 1000; ++i) {
      const std::string name = "p" + std::to_string(i);
      ASSERT_TRUE((nominal ? space.AddNominal(name, {"a", "b"}) : space.AddReal(name, 0, 1, 0.5)).ok());
    }
    const SearchGraph graph(space);
    SearchOptions options;
    options.most_tries = 300;
    HierarchicalSearch search(&graph, space.Defaults(), nullptr, options);
    while (!search.settled()) {
      double seconds = 1;
      for (const double value : search.Next()) seconds += (1 - value) / 100;
      search.Observe(seconds);
    }
    EXPECT_LE(search.tries(), 300);
    EXPECT_LT(search.best_seconds(), nominal ? 10.8 : 6);
  }
}

// Spaces of nominal parameters with random parents and times that depend on all that exists: each search
// reaches what the greedy walk promises, a configuration that no single change of one node's combination
// improves.
TEST(HierarchicalSearch, NoChangeOfOneChoiceIsBetterThanWhatItSettlesOn) {
  Random random(21);
  for (int round = 0; round < 50; ++round) {
    ParameterSpace space;
    for (int i = 0; i < 6; ++i) {
      ASSERT_TRUE(space.AddNominal("p" + std::to_string(i), {"0", "1", "2"}).ok());
      if (i > 1 && random.Below(2) == 0) {
        ASSERT_TRUE(
            space.AddCondition(i, static_cast<int>(random.Below(i)), static_cast<int>(random.Below(3))).ok());
      }
    }
    std::vector<std::vector<double>> weights(6, std::vector<double>(3));
    for (auto& of_parameter : weights) {
      for (double& weight : of_parameter) weight = random.Unit();
    }
    const auto seconds = [&](const Values& at) {
      const std::vector<bool> existing = space.Existing(at);
      double sum = 1;
      for (int i = 0; i < 6; ++i) sum += existing[i] ? weights[i][static_cast<size_t>(at[i])] : 0.3;
      return sum;
    };
    const SearchGraph graph(space);
    SearchOptions options;
    options.exploration.epsilon = 0;
    HierarchicalSearch search(&graph, space.Defaults(), nullptr, options);
    while (!search.settled()) search.Observe(seconds(search.Next()));
    Values at = *search.best();
    const std::vector<bool> existing = space.Existing(at);
    for (int i = 0; i < 6; ++i) {
      bool has_children = false;
      for (int j = 0; j < 6; ++j) {
        for (const Condition& condition : space.at(j).conditions) has_children |= condition.parent == i;
      }
      if (has_children || !existing[i]) continue;
      for (double choice : {0., 1., 2.}) {
        Values changed = at;
        changed[i] = choice;
        EXPECT_GE(seconds(changed), search.best_seconds() - 1e-9) << "round " << round << " parameter " << i;
      }
    }
  }
}

}  // namespace
}  // namespace libtune
