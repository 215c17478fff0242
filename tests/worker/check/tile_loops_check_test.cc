#include "worker/check/tile_loops_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/check/sample_mapping.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using testing::Mapping;

std::unique_ptr<Mapping> TilesOfTime() {
  auto mapping = Mapping::MakeDefault(testing::Jacobi1dScop(), {{"steps", 8}, {"n", 2100}});
  EXPECT_EQ(mapping->kernel().kernel->tile_loops, TileLoops());
  return mapping;
}

// Of every kernel in tiles.
void SetTileLoops(const TileLoops& loops, Mapping* mapping) {
  auto scheduled = std::make_shared<ScheduledScop>(*mapping->plan.scheduled);
  int inside = 0;
  for (Kernel& kernel : scheduled->kernels) {
    if (kernel.tile_loops.count == 0) continue;
    kernel.tile_loops = loops;
    ++inside;
  }
  EXPECT_GT(inside, 0);
  mapping->plan.scheduled = scheduled;
  mapping->Map();
}

TEST(TileLoopsCheck, TilesOfOneTimeAreIndependent) {
  const auto mapping = TilesOfTime();
  EXPECT_TRUE(mapping->Check().ok()) << mapping->Check();
}

TEST(TileLoopsCheck, TimesAreNot) {
  const auto mapping = TilesOfTime();
  SetTileLoops({0, 2}, mapping.get());
  EXPECT_THAT(mapping->Failure(), HasSubstr("a dependence connects two tiles of one launch: "));
}

}  // namespace
}  // namespace tune
