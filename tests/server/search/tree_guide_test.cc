#include "server/search/tree_guide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

DecisionPoint TilePoint() { return {"tile", {"16", "32", "64"}, {true, true, true}, 0}; }
DecisionPoint MemoryPoint() { return {"memory", {"texture", "global"}, {true, true}, 0}; }
DecisionPoint UnrollPoint() { return {"unroll", {"1", "2"}, {true, true}, 0}; }

// tile, memory, and, where memory is global, unroll.
Trace Walk(int tile, int memory, int unroll) {
  Trace trace = {{TilePoint(), tile}, {MemoryPoint(), memory}};
  if (memory == 1) trace.push_back({UnrollPoint(), unroll});
  return trace;
}

// Texture takes 1 s, global memory 8 s, whatever else.
DecisionTable AllWalks() {
  DecisionTable table;
  for (int tile = 0; tile < 3; ++tile) {
    table.Add(Walk(tile, 0, 0), 1 + 0.001 * tile);
    for (int unroll = 0; unroll < 2; ++unroll) table.Add(Walk(tile, 1, unroll), 8 + 0.001 * tile);
  }
  return table;
}

TEST(DecisionTable, NumbersOptionsAndMarksWhatWasNotAsked) {
  const DecisionTable table = AllWalks();
  ASSERT_EQ(table.attributes(), 3);
  EXPECT_EQ(table.key(table.Find("memory")), "memory");
  EXPECT_EQ(table.Find("other"), -1);
  EXPECT_FLOAT_EQ(*table.ValueOf(table.Find("tile"), "32"), std::log2(33.0f));
  EXPECT_FLOAT_EQ(*table.ValueOf(table.Find("memory"), "global"), 1);
  EXPECT_FALSE(table.ValueOf(table.Find("memory"), "constant").has_value());
  EXPECT_THAT(table.Row(0), ElementsAre(std::log2(17.0f), 0, DecisionTable::kAbsent));
  EXPECT_THAT(table.RowOf(Walk(1, 1, 1)), ElementsAre(std::log2(33.0f), 1, std::log2(3.0f)));
  EXPECT_THAT(table.OptionsBelow(table.Find("tile"), std::log2(40.0f)), ElementsAre("16", "32"));
}

TEST(DecisionTable, FailedCandidatesCountAsTheSlowest) {
  DecisionTable table;
  table.Add(Walk(0, 0, 0), std::nullopt);
  EXPECT_FALSE(table.HasSuccess(1));
  table.Add(Walk(1, 0, 0), 2.0);
  table.Add(Walk(2, 0, 0), 7.0);
  EXPECT_TRUE(table.HasSuccess(2));
  const Samples samples = table.MakeSamples({0, 1, 2});
  EXPECT_DOUBLE_EQ(samples.target(0), std::log(7.0));
  EXPECT_DOUBLE_EQ(samples.target(1), std::log(2.0));
}

TEST(DecisionTable, WindowKeepsTheFastestAndTheLatest) {
  DecisionTable table;
  for (const double seconds : {5.0, 1.0, 9.0, 2.0, 8.0, 7.0, 6.0}) table.Add(Walk(0, 0, 0), seconds);
  EXPECT_THAT(table.Window(7, 100), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(table.Window(7, 4), ElementsAre(1, 3, 5, 6));
  EXPECT_THAT(table.Window(4, 100), ElementsAre(0, 1, 2, 3)) << "as the table was then";
}

TEST(DecisionTable, WhatIsAddedLaterChangesNothing) {
  DecisionTable table;
  table.Add(Walk(0, 0, 0), 1.0);
  table.Add(Walk(1, 0, 0), std::nullopt);
  table.Add(Walk(2, 1, 0), 5.0);
  const Samples before = table.MakeSamples({0, 1});
  EXPECT_EQ(before.attributes(), 2);
  EXPECT_DOUBLE_EQ(before.target(1), 0) << "the slowest of these two";
  EXPECT_EQ(table.MakeSamples({0, 1, 2}).attributes(), 3);
}

TEST(OptionFilter, KeepsWhatIsWithinItsBounds) {
  const DecisionTable table = AllWalks();
  OptionFilter filter;
  EXPECT_TRUE(filter.empty());
  EXPECT_THAT(filter.Filter(table, TilePoint()), ElementsAre(true, true, true));
  filter.KeepAbove(table.Find("tile"), std::log2(20.0f));
  EXPECT_THAT(filter.Filter(table, TilePoint()), ElementsAre(false, true, true));
  filter.KeepBelow(table.Find("tile"), std::log2(40.0f));
  filter.KeepBelow(table.Find("tile"), std::log2(60.0f));
  EXPECT_THAT(filter.Filter(table, TilePoint()), ElementsAre(false, true, false));
  DecisionPoint masked = TilePoint();
  masked.allowed = {true, false, true};
  EXPECT_THAT(filter.Filter(table, masked), ElementsAre(true, false, true)) << "nothing is left: no filter";
  DecisionPoint wider = TilePoint();
  wider.options.push_back("48");
  wider.allowed.push_back(true);
  EXPECT_THAT(filter.Filter(table, wider), ElementsAre(false, true, false, true)) << "a new option is kept";
  EXPECT_THAT(filter.Filter(table, MemoryPoint()), ElementsAre(true, true));
}

TEST(TreeGuide, TheRootIsTheDecisionThatMattersAndEdgesHaveAntSystemPheromone) {
  const DecisionTable table = AllWalks();
  const TreeGuide guide(&table, table.rows());
  const auto& nodes = guide.tree().nodes();
  // "memory" and "unroll asked" separate the same samples; the first is taken.
  ASSERT_EQ(nodes[0].attribute, table.Find("memory"));
  // Each sample deposits best / time: three of 1 s or a little more, six of 8 s.
  double texture = 0, global = 0;
  for (int tile = 0; tile < 3; ++tile) {
    texture += 1 / (1 + 0.001 * tile);
    global += 2 / (8 + 0.001 * tile);
  }
  EXPECT_NEAR(guide.pheromone(nodes[0].below), texture, 1e-9);
  EXPECT_NEAR(guide.pheromone(nodes[0].above), global, 1e-9);
  Random random(7);
  int drawn_texture = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::vector<bool> open = guide.DrawRegion(1, &random).Filter(table, MemoryPoint());
    ASSERT_NE(open[0], open[1]);
    drawn_texture += open[0] ? 1 : 0;
  }
  EXPECT_NEAR(drawn_texture / 2000.0, texture / (texture + global), 0.03);
  EXPECT_THAT(guide.RegionOf(Walk(2, 0, 0)).Filter(table, MemoryPoint()), ElementsAre(true, false));
}

TEST(TreeGuide, TellsWhatItLearned) {
  const DecisionTable table = AllWalks();
  const std::string text = TreeText(TreeGuide(&table, table.rows()));
  EXPECT_THAT(text, HasSubstr("all: 4.00"));  // the geometric mean of three times 1 s and six times 8 s
  EXPECT_THAT(text, HasSubstr("\n  memory in {texture}: 1.001 s (3 candidates)\n"));
  EXPECT_THAT(text, HasSubstr("\n  memory otherwise: 8.001 s (6 candidates)\n"));
  EXPECT_THAT(text, HasSubstr("decisions by importance:\n   100 % memory\n"));
}

}  // namespace
}  // namespace tune
