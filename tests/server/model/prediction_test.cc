#include "server/model/prediction.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

TEST(ExpectedImprovement, IsThatOfANormalDistribution) {
  // Of a standard normal distribution below its mean: the density there.
  EXPECT_NEAR(ExpectedImprovement({3, 1}, 3), 1 / std::sqrt(2 * M_PI), 1e-12);
  EXPECT_NEAR(ExpectedImprovement({3, 2}, 3), 2 / std::sqrt(2 * M_PI), 1e-12);
  EXPECT_NEAR(ExpectedImprovement({0, 0.01}, 5), 5, 1e-9) << "almost sure";
  EXPECT_GT(ExpectedImprovement({4, 2}, 3), ExpectedImprovement({4, 1}, 3)) << "unsure ones may surprise";
  EXPECT_GT(ExpectedImprovement({3.5, 1}, 3), ExpectedImprovement({4, 1}, 3));
}

TEST(ExpectedImprovement, IsNeverNegative) {
  EXPECT_DOUBLE_EQ(ExpectedImprovement({4, 0}, 3), 0);
  EXPECT_DOUBLE_EQ(ExpectedImprovement({1, 0}, 3), 2);
  for (const double mean : {10.0, 30.0, 100.0}) EXPECT_GE(ExpectedImprovement({mean, 1}, 0), 0);
}

TEST(Mix, IsLessSureWhereTheModelsDisagree) {
  const Prediction agreed = Mix({2, 3}, {2, 3});
  EXPECT_DOUBLE_EQ(agreed.mean, 2);
  EXPECT_DOUBLE_EQ(agreed.deviation, 3);
  const Prediction apart = Mix({0, 3}, {8, 3});
  EXPECT_DOUBLE_EQ(apart.mean, 4);
  EXPECT_DOUBLE_EQ(apart.deviation, 5);
}

}  // namespace
}  // namespace tune
