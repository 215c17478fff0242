#include "common/transform/split_sums/part_count.h"

#include <gtest/gtest.h>

#include "common/device/compute_capability.h"

namespace tune {
namespace {

SumNest Nest(int64_t rows, int64_t columns, int64_t count) {
  SumNest nest;
  nest.row_count = rows;
  nest.column_count = columns;
  nest.count = count;
  return nest;
}

int Ranges(int64_t rows, int64_t columns, int64_t count, const DeviceFacts& device,
           v1::ElementType type = v1::ELEMENT_TYPE_FLOAT) {
  return ChooseParts(Nest(rows, columns, count), type, device).ranges;
}

SumParts OfFloats(const SumNest& nest) {
  return ChooseParts(nest, v1::ELEMENT_TYPE_FLOAT, FactsOfComputeCapability(9, 0));
}

TEST(PartCountTest, FewElementsWithLongSumsAreSplit) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  EXPECT_GT(Ranges(1000, 1100, 1200, device), 1);     // 144 blocks for 132 multiprocessors
  EXPECT_EQ(Ranges(256, 256, 100'000, device), 8);    // eight blocks
  EXPECT_EQ(Ranges(128, 64, 100'000, device), 0);     // threads share these
  EXPECT_EQ(Ranges(128, 64 * 396, 2000, device), 0);  // as many blocks as there can be at once
  EXPECT_GT(Ranges(128, 64 * 400, 2000, device), 1);  // four more, which would be alone
  EXPECT_EQ(Ranges(8000, 8000, 8000, device), 0);     // many rounds
}

TEST(PartCountTest, PartsAreWorthTheirLaunch) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  EXPECT_EQ(Ranges(1000, 1100, 511, device), 0);  // too short
  DeviceFacts slow = device;
  slow.memory_bandwidth = 1e10;
  EXPECT_EQ(Ranges(1000, 1100, 1200, slow), 0);  // partial sums take too long
}

// A triangle of 2600 x 2600 has a few blocks more than there can be at once, a rectangle of as many rows and
// half of the columns about as many as there can be.
TEST(PartCountTest, TrianglesHaveTheBlocksThatHavePlaces) {
  SumNest triangle = Nest(2600, 2600, 2000);
  triangle.filled = 0.5;
  triangle.has_factor = true;
  EXPECT_GT(OfFloats(triangle).ranges, 1);
  EXPECT_FALSE(OfFloats(triangle).terms_apart);
}

TEST(PartCountTest, TermsThatCrowdTheRegistersAreApart) {
  SumNest nest = Nest(4000, 4000, 2000);
  nest.terms = 2;
  EXPECT_FALSE(OfFloats(nest).AreThere());
  nest.reads_more = true;
  EXPECT_TRUE(OfFloats(nest).terms_apart);
  nest.terms = 1;
  EXPECT_FALSE(OfFloats(nest).AreThere());
}

TEST(PartCountTest, SumsThatBeginAtDifferentTimesAreByThemselves) {
  SumNest nest = Nest(2000, 2600, 2000);
  nest.share = 0.5;
  EXPECT_FALSE(OfFloats(nest).AreThere());
  nest.begins_apart = true;
  EXPECT_EQ(OfFloats(nest).ranges, 1);
}

TEST(PartCountTest, NothingIsKnownOfAnUnknownDevice) {
  EXPECT_EQ(Ranges(1000, 1100, 1200, DeviceFacts()), 0);
}

}  // namespace
}  // namespace tune
