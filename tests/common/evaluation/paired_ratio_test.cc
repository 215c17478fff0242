#include "common/evaluation/paired_ratio.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

// Pairs whose ratios are 2 to the powers.
RatioEstimate OfPowers(const std::vector<double>& powers) {
  std::vector<double> numerators;
  for (const double power : powers) numerators.push_back(std::exp2(power));
  return PairedRatio(numerators, std::vector<double>(powers.size(), 1.0));
}

TEST(PairedRatioTest, SixPairsSpanTheirRange) {
  // P(T <= 0) = 1/64, P(T <= 1) = 2/64 > 0.025: k = 0. Of the 21 averages of 0..5 the 11th is 2.5.
  const RatioEstimate estimate = OfPowers({3, 0, 5, 1, 4, 2});
  EXPECT_DOUBLE_EQ(estimate.ratio, std::exp2(2.5));
  EXPECT_DOUBLE_EQ(estimate.low, 1);
  EXPECT_DOUBLE_EQ(estimate.high, 32);
}

TEST(PairedRatioTest, RanksOfTheSignedRankTest) {
  // Two-sided critical values at 5%, as tables have them: 2 for n = 7, 3 for 8, 5 for 9, 8 for 10, 10 for 11.
  // Averages of 0 .. n-1 are 0, 0.5, 1, 1, 1.5, 1.5, 2, 2, 2, 2.5, 2.5, ...; the interval starts at the
  // k+1st.
  const double lows[] = {1, 1, 1.5, 2, 2.5};
  for (int n = 7; n <= 11; ++n) {
    std::vector<double> powers;
    for (int i = 0; i < n; ++i) powers.push_back(i);
    const RatioEstimate estimate = OfPowers(powers);
    EXPECT_DOUBLE_EQ(estimate.ratio, std::exp2((n - 1) / 2.0)) << n;
    EXPECT_DOUBLE_EQ(estimate.low, std::exp2(lows[n - 7])) << n;
    EXPECT_DOUBLE_EQ(estimate.high, std::exp2(n - 1 - lows[n - 7])) << n;
  }
}

// 12 of the 78 averages hold the wild one, and the interval starts at the 14th.
TEST(PairedRatioTest, OneWildPairOfTwelveDoesNotDecide) {
  const RatioEstimate estimate = OfPowers({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -20});
  EXPECT_DOUBLE_EQ(estimate.ratio, 2);
  EXPECT_DOUBLE_EQ(estimate.low, 2);
  EXPECT_DOUBLE_EQ(estimate.high, 2);
}

TEST(PairedRatioTest, StudentsIntervalOfFewPairs) {
  // Logarithms (base 2) -1, 0, 1: mean 0, standard deviation 1, margin 4.303 / sqrt(3).
  const RatioEstimate three = OfPowers({-1, 0, 1});
  EXPECT_DOUBLE_EQ(three.ratio, 1);
  EXPECT_NEAR(three.high, std::exp2(4.303 / std::sqrt(3.0)), 1e-9);
  EXPECT_NEAR(three.low, std::exp2(-4.303 / std::sqrt(3.0)), 1e-9);
  // 0, 0, 1, 1, 3: mean 1, squares 1 + 1 + 4 = 6, standard deviation sqrt(1.5), margin 2.776 * sqrt(0.3).
  // Walsh averages 0 0 0 .5 .5 .5 .5 1 1 1 1.5 1.5 2 2 3: median 1.
  const RatioEstimate five = OfPowers({0, 0, 1, 1, 3});
  EXPECT_DOUBLE_EQ(five.ratio, 2);
  EXPECT_NEAR(five.low, std::exp2(1 - 2.776 * std::sqrt(0.3)), 1e-9);
  EXPECT_NEAR(five.high, std::exp2(1 + 2.776 * std::sqrt(0.3)), 1e-9);
}

TEST(PairedRatioTest, SwappedListsGiveReciprocals) {
  const std::vector<double> a = {3, 2, 4, 3.5, 2.5, 8, 3}, b = {1, 1.5, 2, 1, 1, 1, 1.25};
  const RatioEstimate there = PairedRatio(a, b), back = PairedRatio(b, a);
  EXPECT_NEAR(there.ratio * back.ratio, 1, 1e-12);
  EXPECT_NEAR(there.low * back.high, 1, 1e-12);
  EXPECT_NEAR(there.high * back.low, 1, 1e-12);
}

TEST(PairedRatioTest, OnePairHasNoInterval) {
  const RatioEstimate one = PairedRatio({6}, {3});
  EXPECT_DOUBLE_EQ(one.ratio, 2);
  EXPECT_EQ(one.low, 0);
  EXPECT_EQ(one.high, 0);
  EXPECT_EQ(PairedRatio({}, {}).ratio, 0);
}

}  // namespace
}  // namespace tune
