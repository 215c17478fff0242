#include "worker/run/output_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/array/half.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

v1::ArrayError CompareDoubles(const std::vector<double>& expected, const std::vector<double>& found,
                              std::vector<int64_t> extents = {}) {
  if (extents.empty()) extents = {static_cast<int64_t>(expected.size())};
  return CompareArray("A", v1::ELEMENT_TYPE_DOUBLE, extents, expected.data(), found.data(), {});
}

TEST(OutputCheckTest, EqualArraysHaveNoError) {
  const v1::ArrayError error = CompareDoubles({1, 2, 3}, {1, 2, 3});
  EXPECT_FALSE(error.exceeded());
  EXPECT_EQ(error.relative_l2(), 0);
  EXPECT_EQ(error.largest(), 0);
}

TEST(OutputCheckTest, RelativeErrorAgainstTheWholeArray) {
  const v1::ArrayError small = CompareDoubles({3, 4}, {3, 4 + 1e-9});
  EXPECT_FALSE(small.exceeded());
  EXPECT_NEAR(small.relative_l2(), 1e-9 / 5, 1e-15);
  EXPECT_NEAR(small.largest(), 1e-9, 1e-14);
  EXPECT_TRUE(small.first_differing_index().empty());

  const v1::ArrayError large = CompareDoubles({3, 4}, {3, 5});
  EXPECT_TRUE(large.exceeded());
  EXPECT_DOUBLE_EQ(large.relative_l2(), 0.2);
  EXPECT_DOUBLE_EQ(large.largest(), 1);
}

TEST(OutputCheckTest, NamesTheFirstElementThatMatters) {
  // The first difference is rounding; the one that exceeds the tolerance is at [1][2].
  const v1::ArrayError error = CompareDoubles({1, 1, 1, 1, 1, 1}, {1 + 1e-12, 1, 1, 1, 1, 2}, {2, 3});
  ASSERT_TRUE(error.exceeded());
  EXPECT_THAT(error.first_differing_index(), ElementsAre(1, 2));
  EXPECT_EQ(error.expected(), 1);
  EXPECT_EQ(error.found(), 2);
  EXPECT_EQ(DescribeError(error), "A[1][2] is 2, expected 1 (relative L2 error 0.408 of array A)");
}

TEST(OutputCheckTest, NanEqualsNanOnly) {
  const double nan = std::nan("");
  EXPECT_FALSE(CompareDoubles({nan, 1}, {-nan, 1}).exceeded());
  EXPECT_EQ(CompareDoubles({nan, 1}, {-nan, 1}).relative_l2(), 0);
  const v1::ArrayError lost = CompareDoubles({1, nan}, {1, 2});
  EXPECT_TRUE(lost.exceeded());
  EXPECT_THAT(lost.first_differing_index(), ElementsAre(1));
  EXPECT_TRUE(CompareDoubles({1, 2}, {nan, 2}).exceeded());
}

TEST(OutputCheckTest, InfinityEqualsItselfOnly) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(CompareDoubles({inf, 1}, {inf, 1}).exceeded());
  EXPECT_TRUE(CompareDoubles({inf, 1}, {-inf, 1}).exceeded());
  EXPECT_TRUE(CompareDoubles({1, 1}, {1, inf}).exceeded());
}

TEST(OutputCheckTest, ZeroReferenceIsComparedAsIfOfMagnitudeOne) {
  EXPECT_FALSE(CompareDoubles({0, 0}, {0, 1e-17}).exceeded());
  EXPECT_TRUE(CompareDoubles({0, 0}, {0, 1e-3}).exceeded());
  EXPECT_FALSE(CompareDoubles({0.0}, {-0.0}).exceeded());
}

TEST(OutputCheckTest, HugeValuesDoNotOverflow) {
  const v1::ArrayError error = CompareDoubles({1e300, 1e300}, {1e300, 1e300 * (1 + 1e-10)});
  EXPECT_FALSE(error.exceeded());
  EXPECT_GT(error.relative_l2(), 0);
  EXPECT_TRUE(CompareDoubles({1e300, 1e300}, {1e300, 2e300}).exceeded());
}

TEST(OutputCheckTest, FloatsHaveTheirOwnTolerance) {
  const float expected[] = {1}, near[] = {1.0005f}, far[] = {1.005f};
  EXPECT_FALSE(CompareArray("x", v1::ELEMENT_TYPE_FLOAT, {}, expected, near, {}).exceeded());
  EXPECT_TRUE(CompareArray("x", v1::ELEMENT_TYPE_FLOAT, {}, expected, far, {}).exceeded());
}

TEST(OutputCheckTest, IntegersAreExact) {
  const long expected[] = {1L << 60, 5}, found[] = {(1L << 60) + 1, 5};
  const v1::ArrayError error = CompareArray("n", v1::ELEMENT_TYPE_LONG, {2}, expected, found, {});
  EXPECT_TRUE(error.exceeded());
  EXPECT_EQ(error.largest(), 1);
  EXPECT_THAT(error.first_differing_index(), ElementsAre(0));
  const unsigned char a[] = {255}, b[] = {0};
  EXPECT_EQ(CompareArray("c", v1::ELEMENT_TYPE_UNSIGNED_CHAR, {}, a, b, {}).largest(), 255);
}

TEST(OutputCheckTest, TheFirstExceededErrorIsTheVerdict) {
  const v1::ArrayError fine = CompareDoubles({1}, {1}), first = CompareDoubles({1}, {2}),
                       second = CompareDoubles({1}, {3});
  v1::RunnerVerdict verdict;
  verdict.set_outcome(v1::CORRECT);
  JudgeOutputs({fine}, &verdict);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT);
  JudgeOutputs({fine, first, second}, &verdict);
  EXPECT_EQ(verdict.errors_size(), 3);  // none of the comparison before
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
  EXPECT_EQ(verdict.message(), DescribeError(first));
  verdict.set_outcome(v1::RUNTIME);
  verdict.set_message("fault");
  JudgeOutputs({second}, &verdict);
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(), "fault");
}

v1::ArrayError CompareBy(v1::CheckMethod method, std::optional<double> threshold,
                         const std::vector<double>& expected, const std::vector<double>& found) {
  return CompareArray("A", v1::ELEMENT_TYPE_DOUBLE, {static_cast<int64_t>(expected.size())}, expected.data(),
                      found.data(), {}, {method, threshold});
}

TEST(OutputCheckTest, TheSumOfDifferences) {
  const v1::ArrayError error = CompareBy(v1::CHECK_SUM_OF_DIFFERENCES, 0.5, {1, 2, 3, 4}, {1, 1.75, 3.5, 4});
  EXPECT_TRUE(error.exceeded());
  EXPECT_EQ(error.measured(), 0.75);
  EXPECT_THAT(error.first_differing_index(), ElementsAre(1));
  EXPECT_EQ(DescribeError(error),
            "A[1] is 1.75, expected 2 (sum of differences 0.75 of array A, at most 0.5 is accepted)");
  EXPECT_FALSE(CompareBy(v1::CHECK_SUM_OF_DIFFERENCES, 0.75, {1, 2, 3, 4}, {1, 1.75, 3.5, 4}).exceeded());
}

TEST(OutputCheckTest, WhatIsNotFiniteIsNoRelativeMatch) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const double expected : {nan, inf}) {
    const v1::ArrayError error = CompareBy(v1::CHECK_EACH_RELATIVE, 0.5, {1, expected}, {1, 5});
    EXPECT_TRUE(error.exceeded());
    EXPECT_THAT(error.first_differing_index(), ElementsAre(1));
    EXPECT_FALSE(CompareBy(v1::CHECK_EACH_RELATIVE, 0.5, {1, expected}, {1, expected}).exceeded());
  }
}

TEST(OutputCheckTest, Halves) {
  const auto compare = [](double expected, double found, std::optional<double> threshold) {
    const uint16_t a[] = {HalfBits(2), HalfBits(expected)}, b[] = {HalfBits(2), HalfBits(found)};
    return CompareArray("A", v1::ELEMENT_TYPE_UNSIGNED_SHORT, {2}, a, b, {},
                        {v1::CHECK_RELATIVE_NORM, threshold, /*half=*/true});
  };
  EXPECT_FALSE(compare(1, 1.015625, std::nullopt).exceeded());  // below a hundredth of the norm
  const v1::ArrayError error = compare(1, 1.125, std::nullopt);
  EXPECT_TRUE(error.exceeded());
  EXPECT_THAT(error.first_differing_index(), ElementsAre(1));
  EXPECT_EQ(error.found(), 1.125);
  EXPECT_FALSE(compare(1, 1.125, 0.1).exceeded());
}

// One and two units in the last place.
TEST(OutputCheckTest, ElementsOfFloat16HaveTheToleranceOfFloatsAndTheirRoundings) {
  const auto exceeds = [](double found, double tolerance) {
    const uint16_t a[] = {HalfBits(1), HalfBits(-1)}, b[] = {HalfBits(found), HalfBits(-found)};
    return CompareArray("A", v1::ELEMENT_TYPE_FLOAT16, {2}, a, b, {tolerance}).exceeded();
  };
  EXPECT_FALSE(exceeds(1 + 0x1p-10, 1e-6));
  EXPECT_FALSE(exceeds(1 + 0x1p-9, 1e-6));
  EXPECT_TRUE(exceeds(1 + 0x1.8p-9, 1e-6));
  EXPECT_FALSE(exceeds(1.0078125, 0.01));
  EXPECT_TRUE(exceeds(std::numeric_limits<double>::infinity(), 0.01));
}

// The norm is that of all parts, and the element the one that one of its parts belongs to.
TEST(OutputCheckTest, ComplexNumbersAreComparedByTheirParts) {
  const float a[] = {3, 0, 0, 4}, near[] = {3, 0, 0, 4.00001f}, b[] = {3, 0, 1, 4};
  const auto compare = [&](const float* found) {
    return CompareArray("z", v1::ELEMENT_TYPE_COMPLEX_FLOAT, {2}, a, found, {});
  };
  EXPECT_FALSE(compare(near).exceeded());
  const v1::ArrayError error = compare(b);
  EXPECT_TRUE(error.exceeded());
  EXPECT_DOUBLE_EQ(error.relative_l2(), 0.2);
  EXPECT_THAT(error.first_differing_index(), ElementsAre(1));
  EXPECT_EQ(error.found(), 1);
  EXPECT_EQ(ToleranceOf(v1::ELEMENT_TYPE_COMPLEX_DOUBLE, {1e-3, 1e-8}, {}), 1e-8);
}

// In structures of which members are something else.
TEST(OutputCheckTest, ComplexNumbersAmongOthers) {
  OutputRule rule;
  rule.others.emplace_back();
  rule.others[0].set_first(1);
  rule.others[0].set_count(1);
  float a[] = {3, 0, 0, 4, 1, 2, 0, 0}, b[] = {3, 0, 0, 4, 1, 2, 0, 0};
  const auto exceeds = [&] {
    return CompareArray("z", v1::ELEMENT_TYPE_COMPLEX_FLOAT, {2, 2}, a, b, {}, rule).exceeded();
  };
  b[0] = 3.000001f;
  EXPECT_FALSE(exceeds());
  b[7] = 1e-9f;
  EXPECT_TRUE(exceeds());
}

TEST(OutputCheckTest, EachDifference) {
  const v1::ArrayError error = CompareBy(v1::CHECK_EACH_DIFFERENCE, {}, {1, 2, 3}, {1.00005, 2.0002, 3});
  EXPECT_TRUE(error.exceeded());
  EXPECT_EQ(error.threshold(), 1e-4);
  EXPECT_THAT(error.first_differing_index(), ElementsAre(1));
  EXPECT_FALSE(CompareBy(v1::CHECK_EACH_DIFFERENCE, 0.001, {1, 2, 3}, {1.00005, 2.0002, 3}).exceeded());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(CompareBy(v1::CHECK_EACH_DIFFERENCE, 1e300, {1, 2}, {1, nan}).exceeded());
}

TEST(OutputCheckTest, EachDifferenceRelativeToWhatIsExpected) {
  // 9e-5 is too small to be related to anything.
  EXPECT_FALSE(CompareBy(v1::CHECK_EACH_RELATIVE, {}, {1e-9, -1000}, {9e-5, -1000.05}).exceeded());
  const v1::ArrayError error = CompareBy(v1::CHECK_EACH_RELATIVE, 0.01, {0.1, -1000}, {0.102, -1000.05});
  EXPECT_TRUE(error.exceeded());
  EXPECT_NEAR(error.measured(), 0.02, 1e-12);
  EXPECT_TRUE(CompareBy(v1::CHECK_EACH_RELATIVE, 10, {0}, {1}).exceeded());
}

TEST(OutputCheckTest, AThresholdOfTheNormTakesThePlaceOfTheTolerance) {
  EXPECT_FALSE(CompareBy(v1::CHECK_RELATIVE_NORM, 0.1, {1, 1}, {1, 1.05}).exceeded());
  EXPECT_EQ(CompareBy(v1::CHECK_RELATIVE_NORM, 0.1, {1, 1}, {1, 1.05}).method(),
            v1::CHECK_METHOD_UNSPECIFIED);
  const int expected[] = {100}, found[] = {101};
  EXPECT_FALSE(
      CompareArray("n", v1::ELEMENT_TYPE_INT, {}, expected, found, {}, {v1::CHECK_RELATIVE_NORM, 0.1})
          .exceeded());
}

TEST(OutputCheckTest, RulesOfArrays) {
  v1::RunnerArray array;
  EXPECT_EQ(RuleOf(array).method, v1::CHECK_RELATIVE_NORM);
  EXPECT_FALSE(RuleOf(array).threshold.has_value());
  array.set_method(v1::CHECK_SUM_OF_DIFFERENCES);
  array.set_threshold(0);
  EXPECT_EQ(RuleOf(array).method, v1::CHECK_SUM_OF_DIFFERENCES);
  EXPECT_EQ(RuleOf(array).threshold, 0);
}

// In structures of three elements the second is no number: it neither hides errors nor may it change.
TEST(OutputCheckTest, OthersAreNoNumbers) {
  v1::RunnerArray array;
  v1::Places* others = array.add_others();
  others->set_first(1);
  others->set_count(1);
  const auto compare = [&](const std::vector<double>& found) {
    const std::vector<double> expected = {1, 1e30, 2, 3, 1e-300, 4};
    return CompareArray("A", v1::ELEMENT_TYPE_DOUBLE, {2, 3}, expected.data(), found.data(), {},
                        RuleOf(array));
  };
  EXPECT_FALSE(compare({1, 1e30, 2, 3, 1e-300, 4}).exceeded());
  EXPECT_FALSE(compare({1, 1e30, 2 + 1e-10, 3, 1e-300, 4}).exceeded());
  const v1::ArrayError number = compare({1, 1e30, 2, 3, 1e-300, 5});
  EXPECT_TRUE(number.exceeded());
  EXPECT_THAT(number.first_differing_index(), ElementsAre(1, 2));
  EXPECT_NEAR(number.relative_l2(), 1 / std::sqrt(30), 1e-9);
  const v1::ArrayError other = compare({1, 1e30, 2, 3, 2e-300, 4});
  EXPECT_TRUE(other.exceeded());
  EXPECT_THAT(other.first_differing_index(), ElementsAre(1, 1));
}

TEST(OutputCheckTest, EmptyArray) { EXPECT_FALSE(CompareDoubles({}, {}, {0}).exceeded()); }

}  // namespace
}  // namespace tune
