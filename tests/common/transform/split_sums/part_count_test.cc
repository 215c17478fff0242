#include "common/transform/split_sums/part_count.h"

#include <gtest/gtest.h>

#include "common/device/compute_capability.h"

namespace tune {
namespace {

int Parts(int64_t rows, int64_t columns, int64_t count, const DeviceFacts& device,
          v1::ElementType type = v1::ELEMENT_TYPE_FLOAT) {
  SumNest nest;
  nest.row_count = rows;
  nest.column_count = columns;
  nest.count = count;
  return ChoosePartCount(nest, type, device);
}

TEST(PartCountTest, FewElementsWithLongSumsAreSplit) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  EXPECT_GT(Parts(1000, 1100, 1200, device), 1);     // 144 blocks for 132 multiprocessors
  EXPECT_EQ(Parts(256, 256, 100'000, device), 8);    // eight blocks
  EXPECT_EQ(Parts(128, 64, 100'000, device), 1);     // threads share these
  EXPECT_EQ(Parts(128, 64 * 396, 2000, device), 1);  // as many blocks as there can be at once
  EXPECT_GT(Parts(128, 64 * 400, 2000, device), 1);  // four more, which would be alone
  EXPECT_EQ(Parts(8000, 8000, 8000, device), 1);     // many rounds
}

TEST(PartCountTest, PartsAreWorthTheirLaunch) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  EXPECT_EQ(Parts(1000, 1100, 511, device), 1);  // too short
  DeviceFacts slow = device;
  slow.memory_bandwidth = 1e10;
  EXPECT_EQ(Parts(1000, 1100, 1200, slow), 1);  // partial sums take too long
}

TEST(PartCountTest, NothingIsKnownOfAnUnknownDevice) { EXPECT_EQ(Parts(1000, 1100, 1200, DeviceFacts()), 1); }

}  // namespace
}  // namespace tune
