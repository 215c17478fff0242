#include "worker/cuda/throttle.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(ThrottleTest, OnlyProtectionCounts) {
  EXPECT_EQ(ThrottleText(0), "");
  EXPECT_EQ(ThrottleText(0x1), "");                       // idle
  EXPECT_EQ(ThrottleText(0x2 | 0x4 | 0x10 | 0x100), "");  // clocks as set, power cap, sync boost, display
  EXPECT_EQ(ThrottleText(0x8), "hardware slowdown");
  EXPECT_EQ(ThrottleText(0x8 | 0x40), "hardware thermal slowdown");
  EXPECT_EQ(ThrottleText(0x8 | 0x80 | 0x20 | 0x4), "hardware power brake, software thermal slowdown");
}

}  // namespace
}  // namespace tune
