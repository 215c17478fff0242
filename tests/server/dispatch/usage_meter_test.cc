#include "server/dispatch/usage_meter.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(UsageMeterTest, ADayIsKept) {
  const absl::Time start = absl::FromUnixSeconds(1'000'000'000);
  UsageMeter meter;
  EXPECT_EQ(meter.Of("alice", start), absl::ZeroDuration());
  for (int hour = 0; hour < 100; ++hour) {
    meter.Add("alice", start + absl::Hours(hour), absl::Minutes(10));
    meter.Add("bob", start + absl::Hours(hour), absl::Minutes(1));
  }
  const absl::Time end = start + absl::Hours(99);
  EXPECT_EQ(meter.Of("alice", end), absl::Minutes(240));
  EXPECT_EQ(meter.Of("bob", end), absl::Minutes(24));
  EXPECT_EQ(meter.Of("alice", end + absl::Hours(12)), absl::Minutes(120));
  EXPECT_EQ(meter.Of("alice", end + absl::Hours(25)), absl::ZeroDuration());
}

}  // namespace
}  // namespace tune
