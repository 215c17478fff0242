#include "common/evaluation/measurement.h"

#include <gtest/gtest.h>

#include "common/base/random.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

TEST(Median, MiddleOrMeanOfTheMiddleTwo) {
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({5, 1, 9}), 5);
  EXPECT_EQ(Median({4, 1, 9, 2}), 3);
}

TEST(MedianInterval, RanksOfTheBinomialTable) {
  // Ranks of the 95% interval as printed in tables of the sign test: n = 6: 1, 10: 2, 20: 6, 25: 8.
  for (const auto& [n, rank] :
       std::vector<std::pair<int, int>>{{3, 1}, {6, 1}, {9, 2}, {10, 2}, {20, 6}, {25, 8}}) {
    std::vector<double> values;
    for (int i = n; i >= 1; --i) values.push_back(i);
    const Interval interval = MedianInterval(values);
    EXPECT_EQ(interval.low, rank) << n;
    EXPECT_EQ(interval.high, n + 1 - rank) << n;
  }
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
  Random random(7);
  int covered = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> values;
    for (int i = 0; i < 15; ++i) values.push_back(random.Uniform());
    const Interval interval = MedianInterval(values);
    covered += interval.low <= 0.5 && 0.5 <= interval.high;
  }
  EXPECT_GE(covered, kRounds * 0.94);
  EXPECT_LE(covered, kRounds * 0.99);
}

v1::Measurement Shifted(Random& random, int n, double shift) {
  std::vector<double> samples;
  for (int i = 0; i < n; ++i) samples.push_back(1 + shift + 0.01 * random.Uniform());
  return MakeMeasurement(samples);
}

TEST(Distinguishable, EqualOnesRarelyDifferentOnesAlways) {
  Random random(11);
  int wrong = 0;
  for (int round = 0; round < 500; ++round) {
    wrong += Distinguishable(Shifted(random, 20, 0), Shifted(random, 20, 0));
    EXPECT_TRUE(Distinguishable(Shifted(random, 20, 0), Shifted(random, 20, 0.02)));
  }
  EXPECT_LE(wrong, 40);  // 5% of 500, with a margin
}

TEST(Distinguishable, PairsSeeThroughDrift) {
  // Both slow down together: the intervals overlap, each pair tells them apart.
  std::vector<double> a, b;
  for (int i = 0; i < 10; ++i) {
    a.push_back(1 + 0.1 * i);
    b.push_back(1.01 + 0.1 * i);
  }
  EXPECT_TRUE(Distinguishable(MakeMeasurement(a), MakeMeasurement(b)));
}

TEST(Distinguishable, FewSamplesGoByTheIntervals) {
  EXPECT_FALSE(Distinguishable(MakeMeasurement({1, 2, 3}), MakeMeasurement({2.5, 3.5, 4})));
  EXPECT_TRUE(Distinguishable(MakeMeasurement({1, 2, 3}), MakeMeasurement({3.5, 4})));
  EXPECT_FALSE(Distinguishable(MakeMeasurement({1, 1, 1, 1, 1, 1}), MakeMeasurement({1, 1, 1, 1, 1, 1})));
}

TEST(OutcomeName, RoundTripAndT4Words) {
  for (const v1::Outcome outcome : AllOutcomes()) {
    EXPECT_EQ(ParseOutcome(OutcomeName(outcome)).value(), outcome);
  }
  EXPECT_EQ(OutcomeName(v1::CORRECTNESS), "correctness");
  EXPECT_EQ(T4OutcomeName(v1::OOM), "runtime");
  const auto unknown = ParseOutcome("fine");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(unknown.status().message().find("worker_lost"), absl::string_view::npos);
}

}  // namespace
}  // namespace tune
