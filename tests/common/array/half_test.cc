#include "common/array/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tune {
namespace {

TEST(HalfTest, EveryNumberHasItsBits) {
  for (int bits = 0; bits < 65536; ++bits) {
    const double value = HalfValue(static_cast<uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(HalfValue(HalfBits(value))));
    } else {
      ASSERT_EQ(HalfBits(value), bits) << value;
    }
  }
}

TEST(HalfTest, KnownNumbers) {
  EXPECT_EQ(HalfValue(0x3c00), 1);
  EXPECT_EQ(HalfValue(0xc000), -2);
  EXPECT_EQ(HalfValue(0x7bff), 65504);
  EXPECT_EQ(HalfValue(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(HalfValue(0xfc00), -std::numeric_limits<double>::infinity());
}

TEST(HalfTest, RoundsToTheNearestAndToEven) {
  EXPECT_EQ(HalfBits(1 + std::ldexp(1.0, -11)), 0x3c00);      // half way
  EXPECT_EQ(HalfBits(1 + 3 * std::ldexp(1.0, -11)), 0x3c02);  // likewise, upwards
  EXPECT_EQ(HalfBits(1.9999), 0x4000);                        // carries
  EXPECT_EQ(HalfBits(65519), 0x7bff);
  EXPECT_EQ(HalfBits(65520), 0x7c00);
  EXPECT_EQ(HalfBits(std::ldexp(1.0, -25)), 0);
  EXPECT_EQ(HalfBits(std::ldexp(1.5, -25)), 1);
  EXPECT_EQ(HalfBits(std::ldexp(0.99999, -14)), 0x0400);
}

}  // namespace
}  // namespace tune
