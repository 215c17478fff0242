#include "worker/run/output_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(OutputCheckTest, EmptyArray) { EXPECT_FALSE(CompareDoubles({}, {}, {0}).exceeded()); }

}  // namespace
}  // namespace tune
