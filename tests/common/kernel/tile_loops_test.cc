#include "common/kernel/tile_loops.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(TileLoopsTest, MarksSayHowManyRegistersThreadsHave) {
  EXPECT_EQ(RegistersOfTileLoops(TileLoopsMark()), 0);
  EXPECT_EQ(RegistersOfTileLoops(TileLoopsMark(64)), 64);
  for (const char* other : {"", "tile", "tile_loops_", "tile_loops_a", "tile_loops64", "k[S0]"})
    EXPECT_EQ(RegistersOfTileLoops(other), std::nullopt) << other;
}

}  // namespace
}  // namespace tune
