#include "worker/run/sample_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

TurnTime Turn(double outer, double told) { return {outer, told, outer}; }

// The first turn costs 1 s and does not count; of the ten others the slowest is left out.
std::vector<TurnTime> Empty() {
  std::vector<TurnTime> turns = {Turn(1, 0.9)};
  for (int i = 1; i <= 9; ++i) turns.push_back(Turn(i * 1e-3, 4e-8));
  turns.push_back(Turn(0.5, 3e-8));
  return turns;
}

TEST(SampleBoundsTest, AllowanceIsWhatMostTurnsCostAndAMargin) {
  EXPECT_DOUBLE_EQ(SampleBounds(Empty()).allowance(), 1.25 * 9e-3 + 5e-6);
  EXPECT_DOUBLE_EQ(SampleBounds({Turn(1, 0.9), Turn(0.2, 0.1)}).allowance(), 1.25 * 0.2 + 5e-6);
}

TEST(SampleBoundsTest, AnHonestTimeStays) {
  EXPECT_EQ(SampleBounds(Empty()).Accept(Turn(2.005, 2)), 2);
  EXPECT_EQ(SampleBounds(Empty()).Accept(Turn(0.004, 1e-6)), 1e-6);
}

TEST(SampleBoundsTest, ALieGainsWhatATurnCosts) {
  const SampleBounds bounds(Empty());
  EXPECT_DOUBLE_EQ(*bounds.Accept(Turn(2, 1e-12)), 2 - bounds.allowance());
  EXPECT_DOUBLE_EQ(*bounds.Accept(Turn(2, 7)), 2);
  // No region is faster than an empty one.
  EXPECT_EQ(bounds.Accept(Turn(0.004, 1e-12)), 3e-8);
}

TEST(SampleBoundsTest, WhatIsNoTimeIsRefused) {
  const SampleBounds bounds(Empty());
  for (const double told : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_FALSE(bounds.Accept(Turn(2, told))) << told;
}

TEST(SampleBoundsTest, AFreshRunTellsOfTheOthers) {
  const SampleBounds bounds(Empty());
  EXPECT_DOUBLE_EQ(bounds.LeastByFreshRun({2, 1e-9, 2}, 0.1), (2 - 0.2 - bounds.allowance()) / 2);
  // It waited for a processor.
  EXPECT_LE(bounds.LeastByFreshRun({2, 1e-9, 1e-3}, 0.1), 0);
}

}  // namespace
}  // namespace tune
