#include "server/search/walk_model.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

DecisionPoint ModelledThreadsPoint() {
  DecisionPoint point = {"threads", {}, {}, 0};
  for (int threads = 16; threads <= 256; threads += 16) point.options.push_back(absl::StrCat(threads));
  point.allowed.assign(point.options.size(), true);
  return point;
}
DecisionPoint ModelledMemoryPoint() { return {"memory", {"shared", "global"}, {true, true}, 0}; }
DecisionPoint ModelledPaddingPoint() { return {"padding", {"0", "1"}, {true, true}, 0}; }

// Threads, memory, and, where memory is shared, padding.
Trace ModelledWalk(int threads, int memory) {
  Trace trace = {{ModelledThreadsPoint(), threads / 16 - 1}, {ModelledMemoryPoint(), memory}};
  if (memory == 0) trace.push_back({ModelledPaddingPoint(), 0});
  return trace;
}

double ImprovementOf(const WalkModel& model, const Trace& trace) {
  return model.Improvement(trace, model.process());
}

TEST(WalkModel, ExpectsMoreOfWhatWasFast) {
  DecisionTable table;
  for (int threads = 16; threads <= 256; threads += 32) {
    table.Add(ModelledWalk(threads, 0), 1 + 0.001 * threads);
    table.Add(ModelledWalk(threads, 1), 8 + 0.001 * threads);
  }
  const WalkModel model(&table, table.rows(), Random(1));
  EXPECT_GT(ImprovementOf(model, ModelledWalk(32, 0)), ImprovementOf(model, ModelledWalk(32, 1)));
}

TEST(WalkModel, SeesAlignment) {
  DecisionTable table;
  for (int threads = 16; threads <= 256; threads += 16) {
    if (threads == 112 || threads == 128) continue;
    table.Add(ModelledWalk(threads, 0), threads % 64 == 0 ? 1 : 2);
    table.Add(ModelledWalk(threads, 1), threads % 64 == 0 ? 1 : 2);
  }
  const WalkModel model(&table, table.rows(), Random(1));
  EXPECT_GT(ImprovementOf(model, ModelledWalk(128, 0)), 2 * ImprovementOf(model, ModelledWalk(112, 0)));
}

TEST(WalkModel, ExpectsLessOfWalksNextToOnesUnderWay) {
  DecisionTable table;
  for (int threads = 16; threads <= 256; threads += 32)
    table.Add(ModelledWalk(threads, 0), 1 + 0.01 * threads);
  const WalkModel model(&table, table.rows(), Random(1));
  GaussianProcess process = model.process();
  process.Expect(model.InputOf(ModelledWalk(64, 1)));
  EXPECT_LT(model.Improvement(ModelledWalk(80, 1), process), ImprovementOf(model, ModelledWalk(80, 1)));
}

// Of seven candidates four are at least as slow as the median, which is 3 seconds.
double ImprovementWhereTheSlowTake(std::optional<double> seconds) {
  DecisionTable table;
  const std::vector<std::optional<double>> of_threads = {1.0, 2.0, 2.5, 3.0, 4.0, seconds, seconds};
  for (size_t i = 0; i < of_threads.size(); ++i)
    table.Add(ModelledWalk(32 * (static_cast<int>(i) + 1), 1), of_threads[i]);
  return ImprovementOf(WalkModel(&table, table.rows(), Random(1)), ModelledWalk(48, 1));
}

TEST(WalkModel, HowSlowTheSlowAreDoesNotMatter) {
  const double improvement = ImprovementWhereTheSlowTake(3.0);
  EXPECT_DOUBLE_EQ(ImprovementWhereTheSlowTake(300.0), improvement);
  EXPECT_DOUBLE_EQ(ImprovementWhereTheSlowTake(std::nullopt), improvement);
  EXPECT_NE(ImprovementWhereTheSlowTake(1.5), improvement);
}

TEST(WalkModel, WhatIsAddedLaterChangesNothing) {
  DecisionTable table;
  table.Add(ModelledWalk(32, 1), 1.0);
  table.Add(ModelledWalk(64, 1), std::nullopt);
  table.Add(ModelledWalk(96, 1), 2.0);
  const double before = ImprovementOf(WalkModel(&table, 3, Random(1)), ModelledWalk(128, 1));
  const WalkModel made_before(&table, 3, Random(1));
  table.Add(ModelledWalk(64, 0), 0.5);
  EXPECT_DOUBLE_EQ(ImprovementOf(WalkModel(&table, 3, Random(1)), ModelledWalk(128, 1)), before);
  EXPECT_DOUBLE_EQ(ImprovementOf(made_before, ModelledWalk(128, 1)), before);
}

}  // namespace
}  // namespace tune
