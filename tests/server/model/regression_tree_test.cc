#include "server/model/regression_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "server/model/forest.h"

namespace tune {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<int> AllRows(const Samples& samples) {
  std::vector<int> rows(samples.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

double ErrorOf(const std::vector<double>& targets) {
  if (targets.empty()) return 0;
  const double mean = std::accumulate(targets.begin(), targets.end(), 0.0) / targets.size();
  double error = 0;
  for (const double target : targets) error += (target - mean) * (target - mean);
  return error;
}

// The smallest error that any split of the rows leaves; infinite when none is possible.
double BestErrorByBruteForce(const std::vector<std::vector<float>>& values,
                             const std::vector<double>& targets, int smallest_leaf) {
  double best = INFINITY;
  for (size_t attribute = 0; attribute < values[0].size(); ++attribute) {
    for (const std::vector<float>& row : values) {
      std::vector<double> below, above;
      for (size_t i = 0; i < values.size(); ++i) {
        (values[i][attribute] <= row[attribute] ? below : above).push_back(targets[i]);
      }
      if (static_cast<int>(std::min(below.size(), above.size())) < std::max(1, smallest_leaf)) continue;
      best = std::min(best, ErrorOf(below) + ErrorOf(above));
    }
  }
  return best;
}

// Coding Ants, figure 10: partitions, memory (1: texture, 2: global), tile size.
TEST(RegressionTree, FindsTheMostDistinguishingDecisionOfThePapersFigure) {
  std::vector<std::vector<float>> values;
  std::vector<double> targets;
  for (const float memory : {1, 2}) {
    for (const float partitions : {1, 2}) {
      for (const float tile : {4, 8}) {
        values.push_back({partitions, memory, tile});
        // Texture takes 10 s less; with global memory one partition takes 2 s less, there tile 4 takes 1 s
        // less.
        double seconds = memory == 1 ? 4 : 14 - (partitions == 1 ? 2 + (tile == 4 ? 1 : 0) : 0);
        targets.push_back(seconds);
      }
    }
  }
  const Samples samples(values, targets);
  const RegressionTree tree = RegressionTree::Grow(samples, AllRows(samples), {}, nullptr);
  const auto& nodes = tree.nodes();
  ASSERT_EQ(nodes[0].attribute, 1);
  EXPECT_FLOAT_EQ(nodes[0].threshold, 1.5);
  EXPECT_EQ(nodes[0].samples, 8);
  EXPECT_EQ(nodes[nodes[0].below].attribute, -1) << "texture takes one time";
  const RegressionTree::Node& global = nodes[nodes[0].above];
  EXPECT_EQ(global.attribute, 0);
  EXPECT_EQ(nodes[global.below].attribute, 2);
  EXPECT_DOUBLE_EQ(tree.Predict({1, 2, 4}), 11);
  EXPECT_DOUBLE_EQ(tree.Predict({1, 2, 8}), 12);
  EXPECT_DOUBLE_EQ(tree.Predict({2, 2, 8}), 14);
  EXPECT_DOUBLE_EQ(tree.Predict({2, 1, 4}), 4);
  const std::vector<double> importance = Importance(tree, 3);
  EXPECT_GT(importance[1], 0.9);
  EXPECT_GT(importance[0], importance[2]);
  EXPECT_NEAR(importance[0] + importance[1] + importance[2], 1, 1e-12);
}

TEST(RegressionTree, EverySplitIsTheBestOneByBruteForce) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const int rows = 2 + static_cast<int>(random.Below(30));
    const int attributes = 1 + static_cast<int>(random.Below(4));
    const TreeOptions options = {.smallest_leaf = 1 + static_cast<int>(random.Below(4))};
    std::vector<std::vector<float>> values(rows);
    std::vector<double> targets;
    for (std::vector<float>& row : values) {
      for (int i = 0; i < attributes; ++i) row.push_back(static_cast<float>(random.Below(5)));
      targets.push_back(std::floor(8 * random.Uniform()));
    }
    const Samples samples(values, targets);
    const RegressionTree tree = RegressionTree::Grow(samples, AllRows(samples), options, nullptr);
    // Each node again, with the rows that reach it.
    std::vector<std::vector<int>> reached(tree.nodes().size());
    reached[0] = AllRows(samples);
    for (size_t id = 0; id < tree.nodes().size(); ++id) {
      const RegressionTree::Node& node = tree.nodes()[id];
      std::vector<std::vector<float>> node_values;
      std::vector<double> node_targets;
      for (const int row : reached[id]) {
        node_values.push_back(values[row]);
        node_targets.push_back(targets[row]);
      }
      ASSERT_EQ(node.samples, static_cast<int>(reached[id].size()));
      const double before = ErrorOf(node_targets);
      ASSERT_NEAR(node.mean, std::accumulate(node_targets.begin(), node_targets.end(), 0.0) / node.samples,
                  1e-9);
      const double best = BestErrorByBruteForce(node_values, node_targets, options.smallest_leaf);
      if (node.attribute < 0) {
        EXPECT_TRUE(node.samples < 2 * options.smallest_leaf || best >= before - 1e-9)
            << best << " " << before;
        continue;
      }
      EXPECT_NEAR(before - node.gain, best, 1e-6);
      for (const int row : reached[id]) {
        reached[values[row][node.attribute] <= node.threshold ? node.below : node.above].push_back(row);
      }
    }
  }
}

TEST(RegressionTree, NoRowsAndOneRow) {
  const Samples samples({{1}, {2}}, {5, 7});
  EXPECT_TRUE(RegressionTree::Grow(samples, {}, {}, nullptr).nodes().empty());
  EXPECT_DOUBLE_EQ(RegressionTree::Grow(samples, {1}, {}, nullptr).Predict({1}), 7);
  EXPECT_DOUBLE_EQ(RegressionTree::Grow(samples, {1, 1, 0}, {.smallest_leaf = 2}, nullptr).Predict({1}),
                   19 / 3.0);
}

TEST(RegressionTree, AlikeTargetsAreOneLeaf) {
  const Samples samples({{1, 4}, {2, 3}, {3, 2}, {4, 1}}, {0.1, 0.1, 0.1, 0.1});
  const RegressionTree tree = RegressionTree::Grow(samples, AllRows(samples), {}, nullptr);
  ASSERT_EQ(tree.nodes().size(), 1u);
  EXPECT_DOUBLE_EQ(tree.nodes()[0].mean, 0.1);
}

TEST(RegressionTree, RandomThresholdsSeparateTheSameSamples) {
  const Samples samples({{1}, {2}, {10}, {11}}, {1, 1, 9, 9});
  std::set<float> thresholds;
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const RegressionTree tree = RegressionTree::Grow(samples, AllRows(samples), {}, &random);
    thresholds.insert(tree.nodes()[0].threshold);
    ASSERT_GE(tree.nodes()[0].threshold, 2);
    ASSERT_LT(tree.nodes()[0].threshold, 10);
    ASSERT_DOUBLE_EQ(tree.Predict({2}), 1);
    ASSERT_DOUBLE_EQ(tree.Predict({10}), 9);
  }
  EXPECT_GT(thresholds.size(), 40u);
}

TEST(Forest, PredictsWithASpreadThatGrowsAwayFromSamples) {
  std::vector<std::vector<float>> values;
  std::vector<double> targets;
  for (int i = 0; i < 20; ++i) {
    values.push_back({static_cast<float>(i), static_cast<float>(i % 3)});
    targets.push_back(i < 10 ? 1 : 5);
  }
  Random random(1);
  const Forest forest = Forest::Grow(Samples(values, targets), 20, &random);
  ASSERT_EQ(forest.size(), 20);
  const Prediction far_below = forest.Predict({2, 1});
  const Prediction boundary = forest.Predict({9.7f, 1});
  EXPECT_NEAR(far_below.mean, 1, 0.3);
  EXPECT_NEAR(forest.Predict({18, 1}).mean, 5, 0.3);
  EXPECT_GT(boundary.deviation, far_below.deviation);
  Random again(1);
  EXPECT_DOUBLE_EQ(Forest::Grow(Samples(values, targets), 1, &again).Predict({2, 1}).deviation, 0);
}

TEST(Samples, NumbersTheValuesOfEachAttribute) {
  const Samples samples({{4, 7}, {1, 7}, {4, 9}}, {1, 2, 3});
  EXPECT_THAT(samples.levels(0), ElementsAre(1, 4));
  EXPECT_THAT(samples.levels(1), ElementsAre(7, 9));
  EXPECT_EQ(samples.level(0, 0), 1);
  EXPECT_EQ(samples.level(1, 0), 0);
  EXPECT_EQ(samples.level(2, 1), 1);
  EXPECT_EQ(samples.attributes(), 2);
}

// By hand: the first attribute tells {8, 8} from {4, 1}, the second 4 from 1.
TEST(RegressionTree, ThePathOfTheFastestLeaf) {
  const Samples samples({{0, 0}, {0, 4}, {4, 0}, {4, 4}}, {8, 8, 4, 1});
  const RegressionTree tree = RegressionTree::Grow(samples, {0, 1, 2, 3}, {}, nullptr);
  const int leaf = LeastLeaf(tree);
  EXPECT_EQ(tree.nodes()[leaf].mean, 1);
  const std::vector<PathStep> path = PathTo(tree, leaf);
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(tree.nodes()[path[0].node].attribute, 0);
  EXPECT_EQ(tree.nodes()[path[1].node].attribute, 1);
  for (const PathStep& step : path) {
    EXPECT_FALSE(step.below);
    EXPECT_EQ(tree.nodes()[step.node].threshold, 2);
  }
  for (int node = 0; node < static_cast<int>(tree.nodes().size()); ++node) {
    int at = 0;
    for (const PathStep& step : PathTo(tree, node)) {
      EXPECT_EQ(step.node, at);
      at = step.below ? tree.nodes()[at].below : tree.nodes()[at].above;
    }
    EXPECT_EQ(at, node);
  }
}

// Two attributes say the same: which of them is split is drawn, the threshold is not.
TEST(RegressionTree, DrawsAmongEqualSplitsWithThresholdsInTheMiddle) {
  const Samples samples({{0, 0}, {4, 4}}, {2, 1});
  std::set<int> attributes;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const RegressionTree tree = RegressionTree::Grow(samples, {0, 1}, {.middle = true}, &random);
    attributes.insert(tree.nodes()[0].attribute);
    EXPECT_EQ(tree.nodes()[0].threshold, 2);
  }
  EXPECT_EQ(attributes.size(), 2u);
}

}  // namespace
}  // namespace tune
