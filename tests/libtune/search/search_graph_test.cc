#include "libtune/search/search_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "libtune/search/random.h"

namespace libtune {
namespace {

using testing::ElementsAre;

TEST(SearchGraph, ParametersWithTheSameConditionsAreOneNode) {
  ParameterSpace space;
  ASSERT_TRUE(space.AddNominal("p0", {"cpu", "gpu"}).ok());
  ASSERT_TRUE(space.AddNominal("s0", {"no", "yes"}).ok());
  ASSERT_TRUE(space.AddNominal("u0", {"no", "yes"}).ok());
  ASSERT_TRUE(space.AddNominal("p1", {"cpu", "gpu"}).ok());
  ASSERT_TRUE(space.AddNominal("us0", {"no", "yes"}).ok());
  ASSERT_TRUE(space.AddSteps("threads", 1, 8, 1, 1).ok());
  ASSERT_TRUE(space.AddCondition(1, 0, 1).ok());
  ASSERT_TRUE(space.AddCondition(2, 0, 1).ok());
  ASSERT_TRUE(space.AddCondition(4, 1, 1).ok());
  const SearchGraph graph(space);
  ASSERT_EQ(graph.nodes().size(), 3u);
  EXPECT_THAT(graph.nodes()[0].parameters, ElementsAre(0, 3));
  EXPECT_THAT(graph.nodes()[1].parameters, ElementsAre(1, 2));
  EXPECT_THAT(graph.nodes()[1].ancestors, ElementsAre(0, 3));  // p1 joined the node after s0 was placed
  EXPECT_THAT(graph.nodes()[2].parameters, ElementsAre(4));
  EXPECT_THAT(graph.nodes()[2].ancestors, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(graph.numeric(), ElementsAre(5));
}

TEST(SearchGraph, ALargeNodeIsDealtOut) {
  ParameterSpace space;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(space.AddNominal("p" + std::to_string(i), {"a", "b"}).ok());
  const SearchGraph graph(space);
  EXPECT_EQ(graph.nodes().size(), 167u);
  for (const NominalNode& node : graph.nodes()) EXPECT_LE(node.combinations, kMostCombinations);
}

TEST(SearchGraph, CombinationsAreCountedThrough) {
  ParameterSpace space;
  ASSERT_TRUE(space.AddNominal("a", {"0", "1", "2"}).ok());
  ASSERT_TRUE(space.AddNominal("b", {"0", "1"}).ok());
  ASSERT_TRUE(space.AddNominal("c", {"0", "1", "2", "3"}).ok());
  const SearchGraph graph(space);
  ASSERT_EQ(graph.nodes().size(), 1u);
  const NominalNode& node = graph.nodes()[0];
  ASSERT_EQ(node.combinations, 24);
  for (int i = 0; i < node.combinations; ++i) {
    Values values(3);
    node.Apply(space, i, &values);
    EXPECT_EQ(node.CombinationOf(space, values), i);
  }
}

// The graph of parents is drawn at random; existence is compared with its definition, by recursion.
TEST(ParameterSpace, ExistenceIsThatOfTheDefinition) {
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    ParameterSpace space;
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(space.AddNominal("p" + std::to_string(i), {"0", "1", "2"}).ok());
      for (int conditions = static_cast<int>(random.Below(4)); i > 0 && conditions > 0; --conditions) {
        ASSERT_TRUE(
            space.AddCondition(i, static_cast<int>(random.Below(i)), static_cast<int>(random.Below(3))).ok());
      }
    }
    Values values;
    for (int i = 0; i < 8; ++i) values.push_back(static_cast<double>(random.Below(3)));
    const auto exists = [&](const auto& self, int i) -> bool {
      for (int parent = 0; parent < i; ++parent) {
        int asked = 0;
        int held = 0;
        for (const Condition& condition : space.at(i).conditions) {
          asked += condition.parent == parent;
          held += condition.parent == parent && values[parent] == condition.choice;
        }
        if (asked > 0 && (held == 0 || !self(self, parent))) return false;
      }
      return true;
    };
    const std::vector<bool> existing = space.Existing(values);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(existing[i], exists(exists, i));
  }
}

TEST(ParameterSpace, RefusesWhatMakesNoSense) {
  ParameterSpace space;
  ASSERT_TRUE(space.AddNominal("p", {"a", "b"}).ok());
  ASSERT_TRUE(space.AddSteps("n", 1, 8, 1, 4).ok());
  EXPECT_EQ(space.AddNominal("p", {"a"}).code(), TUNE_ALREADY_EXISTS);
  EXPECT_EQ(space.AddNominal("", {"a"}).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddNominal("q", {}).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddNominal("q", {"a", "a"}).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddReal("q", 2, 1, 1).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddReal("q", 0, std::nan(""), 0).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddReal("q", -1.7e308, 1.7e308, 0).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddReal("q", 0, 1, 2).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddSteps("q", 0, 1, 0, 0).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddSteps("q", 0, 1, 1e-12, 0).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddPowers("q", 0, 8, 2, 1).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddPowers("q", 1, 8, 1, 1).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddCondition(0, 0, 0).code(), TUNE_INVALID_ARGUMENT);  // its own parent
  EXPECT_EQ(space.AddCondition(0, 1, 0).code(), TUNE_INVALID_ARGUMENT);  // a numeric parent
  EXPECT_EQ(space.AddCondition(1, 0, 2).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.AddCondition(2, 0, 0).code(), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(space.size(), 2);
}

}  // namespace
}  // namespace libtune
