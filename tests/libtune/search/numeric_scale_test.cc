#include "libtune/search/numeric_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "libtune/search/random.h"

namespace libtune {
namespace {

std::set<double> AllOf(const NumericScale& scale) {
  std::set<double> values;
  for (int i = 0; i < 1000; ++i) values.insert(scale.At(i / 1000.0));
  return values;
}

TEST(NumericScale, StepsEndAtTheLastOneBelowTheBound) {
  EXPECT_THAT(AllOf(NumericScale::Steps(32, 256, 32)),
              testing::ElementsAre(32, 64, 96, 128, 160, 192, 224, 256));
  EXPECT_THAT(AllOf(NumericScale::Steps(1, 6, 2)), testing::ElementsAre(1, 3, 5));
  EXPECT_EQ(NumericScale::Steps(0.1, 0.3, 0.1).count(), 3);
}

TEST(NumericScale, PowersOfIntegersAreIntegers) {
  EXPECT_THAT(AllOf(NumericScale::Powers(1, 32, 2)), testing::ElementsAre(1, 2, 4, 8, 16, 32));
  EXPECT_THAT(AllOf(NumericScale::Powers(3, 100, 3)), testing::ElementsAre(3, 9, 27, 81));
}

TEST(NumericScale, MirrorsAtItsBounds) {
  const NumericScale scale = NumericScale::Real(10, 20);
  EXPECT_DOUBLE_EQ(scale.At(0.25), 12.5);
  EXPECT_DOUBLE_EQ(scale.At(-0.25), 12.5);
  EXPECT_DOUBLE_EQ(scale.At(1.75), 12.5);
  EXPECT_DOUBLE_EQ(scale.At(2.25), 12.5);
  EXPECT_DOUBLE_EQ(scale.At(-7.75), 12.5);
}

TEST(NumericScale, AnyCoordinateIsOneOfTheValues) {
  Random random(1);
  for (const NumericScale& scale : {NumericScale::Real(-1, 3), NumericScale::Steps(-4, 9, 3),
                                    NumericScale::Powers(2, 1000, 3), NumericScale::Steps(5, 5, 1)}) {
    for (int i = 0; i < 1000; ++i) {
      const double coordinate = (random.Unit() - 0.5) * std::pow(10.0, random.Unit() * 20);
      EXPECT_TRUE(scale.Has(scale.At(coordinate))) << coordinate;
    }
    EXPECT_TRUE(scale.Has(scale.At(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_TRUE(scale.Has(scale.At(std::numeric_limits<double>::infinity())));
  }
}

TEST(NumericScale, CoordinateOfAValueGivesItBack) {
  for (const NumericScale& scale : {NumericScale::Steps(32, 256, 32), NumericScale::Powers(1, 32, 2),
                                    NumericScale::Steps(-0.3, 0.3, 0.1)}) {
    for (const double value : AllOf(scale)) EXPECT_DOUBLE_EQ(scale.At(scale.CoordinateOf(value)), value);
  }
  EXPECT_DOUBLE_EQ(NumericScale::Real(2, 4).At(NumericScale::Real(2, 4).CoordinateOf(3.3)), 3.3);
}

TEST(NumericScale, ValuesBesideItHaveTheNearestCoordinate) {
  const NumericScale scale = NumericScale::Steps(10, 30, 10);
  EXPECT_EQ(scale.At(scale.CoordinateOf(-5)), 10);
  EXPECT_EQ(scale.At(scale.CoordinateOf(24)), 20);
  EXPECT_EQ(scale.At(scale.CoordinateOf(1e9)), 30);
  EXPECT_FALSE(scale.Has(24));
  EXPECT_FALSE(scale.Has(31));
  EXPECT_FALSE(scale.Has(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace libtune
