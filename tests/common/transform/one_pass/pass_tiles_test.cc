#include "common/transform/one_pass/pass_tiles.h"

#include <gtest/gtest.h>

#include "common/device/compute_capability.h"

namespace tune {
namespace {

PassPair Matrix(int64_t rows, int64_t columns, bool apart = false) {
  PassPair pair;
  pair.row_count = rows;
  pair.column_count = columns;
  pair.row_bytes = 4 * columns;
  pair.apart = apart;
  return pair;
}

bool Gains(const PassPair& pair) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  return PassGains(pair, ChoosePassTiles(pair, device), 4, device);
}

TEST(PassTilesTest, EachMultiprocessorHasEquallyManyTilesThatItsCacheHolds) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  const PassTiles few = ChoosePassTiles(Matrix(1800, 2200), device);
  EXPECT_EQ(few.rows, 14);
  EXPECT_EQ(few.count, 129);
  const PassTiles many = ChoosePassTiles(Matrix(4000, 4000), device);
  EXPECT_EQ(many.count, 500);
  EXPECT_LE(many.rows * 4 * 4000, device.shared_bytes_per_multiprocessor);
  EXPECT_EQ(ChoosePassTiles(Matrix(100, 1 << 20), device).rows, 0);
}

TEST(PassTilesTest, GainsWhereReadingTakesLongerThanLaunches) {
  EXPECT_TRUE(Gains(Matrix(1800, 2200)));
  EXPECT_FALSE(Gains(Matrix(1800, 2200, /*apart=*/true)));  // they run at once
  EXPECT_FALSE(Gains(Matrix(200, 200)));
  EXPECT_FALSE(Gains(Matrix(4000, 4000)));  // several tiles for each multiprocessor
  EXPECT_FALSE(Gains(Matrix(100, 1 << 20)));
  const PassPair pair = Matrix(1800, 2200);
  EXPECT_FALSE(PassGains(pair, {14, 129}, 4, DeviceFacts()));
}

}  // namespace
}  // namespace tune
