#include "server/search/pheromone_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/random.h"

namespace tune {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

DecisionPoint Point(const std::string& key, int options) {
  DecisionPoint point;
  point.key = key;
  for (int i = 0; i < options; ++i) point.options.push_back(absl::StrCat(i));
  point.allowed.assign(options, true);
  return point;
}

// One end of an iteration.
void Update(PheromoneGraph& graph, const Trace* best) {
  graph.Evaporate();
  if (best != nullptr) graph.Deposit(*best, 1);
  graph.KeepWithinBounds();
}

TEST(PheromoneGraph, EquationFiveByHand) {
  // Two decisions with 2 and 4 options: tau starts at 0.5 and 0.25. The best ant took a.1 and b.0, twice.
  //   a.1: 0.5  -> 0.9 * 0.5  + 0.1 = 0.55  -> 0.9 * 0.55  + 0.1 = 0.595
  //   a.0: 0.5  -> 0.45                     -> 0.405
  //   b.0: 0.25 -> 0.9 * 0.25 + 0.1 = 0.325 -> 0.9 * 0.325 + 0.1 = 0.3925
  //   b.1: 0.25 -> 0.225                    -> 0.2025
  PheromoneGraph graph({});
  const Trace best = {{Point("a", 2), 1}, {Point("b", 4), 0}};
  graph.Reach(best);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "0", 2), 0.5);
  EXPECT_DOUBLE_EQ(graph.Tau("b", "3", 4), 0.25);
  Update(graph, &best);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "1", 2), 0.55);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "0", 2), 0.45);
  Update(graph, &best);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "1", 2), 0.595);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "0", 2), 0.405);
  EXPECT_DOUBLE_EQ(graph.Tau("b", "0", 4), 0.3925);
  EXPECT_DOUBLE_EQ(graph.Tau("b", "1", 4), 0.2025);
  // Without a depositing ant everything evaporates.
  Update(graph, nullptr);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "1", 2), 0.5355);
}

TEST(PheromoneGraph, EquationTwoByHand) {
  PheromoneOptions options;
  options.alpha = 2;
  options.beta = 3;
  PheromoneGraph graph(options);
  const Trace best = {{Point("a", 2), 1}};
  graph.Reach(best);
  Update(graph, &best);
  graph.SetDesirabilities(
      [](const std::string&, const std::string& option) { return option == "0" ? 2 : 1; });
  // tau^2 * eta^3: 0.45^2 * 8 and 0.55^2 * 1.
  EXPECT_THAT(graph.Weights(Point("a", 2), {true, true}),
              ElementsAre(DoubleNear(1.62, 1e-12), DoubleNear(0.3025, 1e-12)));
  EXPECT_THAT(graph.Weights(Point("a", 2), {false, true}), ElementsAre(0, DoubleNear(0.3025, 1e-12)));
}

TEST(PheromoneGraph, TauStaysWithinItsBounds) {
  PheromoneGraph graph({});
  const Trace best = {{Point("a", 2), 1}, {Point("one", 1), 0}, {Point("many", 100), 3}};
  graph.Reach(best);
  EXPECT_DOUBLE_EQ(graph.Tau("one", "0", 1), 0.95);
  EXPECT_DOUBLE_EQ(graph.Tau("many", "0", 100), 0.05);
  for (int i = 0; i < 200; ++i) {
    Update(graph, &best);
    for (int option = 0; option < 100; ++option) {
      const double tau = graph.Tau("many", absl::StrCat(option), 100);
      ASSERT_GE(tau, 0.05);
      ASSERT_LE(tau, 0.95);
    }
  }
  EXPECT_DOUBLE_EQ(graph.Tau("a", "1", 2), 0.95);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "0", 2), 0.05);
  for (int i = 0; i < 200; ++i) Update(graph, nullptr);
  EXPECT_DOUBLE_EQ(graph.Tau("a", "1", 2), 0.05);
}

TEST(PheromoneGraph, AnUnreachedNodeIsAUniformDraw) {
  const PheromoneGraph graph({});
  EXPECT_EQ(graph.nodes(), 0u);
  EXPECT_THAT(graph.Weights(Point("new", 4), {true, true, false, true}),
              ElementsAre(DoubleEq(0.25), DoubleEq(0.25), 0, DoubleEq(0.25)));
}

TEST(WalkTree, KnowsWhenAllIsWalked) {
  // Decision a with options 0, 1; below 1 a decision b with options 0, 2 allowed of three.
  DecisionPoint b = Point("b", 3);
  b.allowed[1] = false;
  const Trace left = {{Point("a", 2), 0}};
  const Trace right0 = {{Point("a", 2), 1}, {b, 0}};
  const Trace right2 = {{Point("a", 2), 1}, {b, 2}};
  WalkTree tree;
  EXPECT_FALSE(tree.exhausted());
  tree.Add(right0);
  tree.Add(right0);
  EXPECT_TRUE(tree.Contains(right0));
  EXPECT_FALSE(tree.Contains(right2));
  EXPECT_FALSE(tree.exhausted());
  tree.Add(right2);
  WalkTree::Cursor cursor(tree);
  EXPECT_THAT(cursor.Open(Point("a", 2)), ElementsAre(true, false));
  tree.Add(left);
  EXPECT_TRUE(tree.exhausted());
}

TEST(WalkTree, ASpaceOfOneWalkWithoutDecisions) {
  WalkTree tree;
  tree.Add({});
  EXPECT_TRUE(tree.exhausted());
  EXPECT_TRUE(tree.Contains({}));
}

}  // namespace
}  // namespace tune
