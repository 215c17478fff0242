#include "common/evaluation/compared_times.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(CompareTimesTest, MediansAndRatio) {
  const v1::ComparedTimes times = CompareTimes({4, 4, 4, 4, 4, 8}, {2, 2, 2, 2, 2, 2});
  EXPECT_EQ(times.runs(), 6);
  EXPECT_DOUBLE_EQ(times.original_seconds(), 4);
  EXPECT_DOUBLE_EQ(times.tuned_seconds(), 2);
  EXPECT_DOUBLE_EQ(times.ratio(), 2);
  EXPECT_DOUBLE_EQ(times.ratio_low(), 2);
  EXPECT_DOUBLE_EQ(times.ratio_high(), 4);
}

TEST(CompareTimesTest, WhatTheClockDidNotSeeIsANanosecond) {
  EXPECT_NEAR(CompareTimes({3e-9, 3e-9}, {0, 0}).ratio(), 3, 1e-9);
}

TEST(SpeedVerdictTest, NeedsTheWholeInterval) {
  v1::ComparedTimes times;
  const auto verdict = [&](double low, double high) {
    times.set_ratio_low(low);
    times.set_ratio_high(high);
    return SpeedVerdict(times);
  };
  EXPECT_EQ(verdict(1.01, 1.2), "faster");
  EXPECT_EQ(verdict(0.8, 0.99), "slower");
  EXPECT_EQ(verdict(0.8, 1.2), "cannot be told apart");
  EXPECT_EQ(verdict(1, 1.2), "cannot be told apart");
  EXPECT_EQ(verdict(0, 0), "cannot be told apart");  // no interval
}

TEST(ComparedTimes, LaterExecutionsStandForACheck) {
  v1::ProgramCheck check;
  check.mutable_fresh()->set_ratio(2);
  EXPECT_EQ(ProgramTimes(check).ratio(), 2);
  check.mutable_warm()->set_ratio(3);
  EXPECT_EQ(ProgramTimes(check).ratio(), 3);
}

}  // namespace
}  // namespace tune
