#include "worker/cuda/launch_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

std::vector<unsigned> Shrunk(int64_t most, std::vector<unsigned> grid) {
  ShrinkGrid(most, grid.data());
  return grid;
}

TEST(LaunchProbe, GridsShrinkFromTheirLastDimensions) {
  using ::testing::ElementsAre;
  EXPECT_THAT(Shrunk(100, {4, 5, 5}), ElementsAre(4, 5, 5));
  EXPECT_THAT(Shrunk(99, {4, 5, 5}), ElementsAre(4, 5, 4));
  EXPECT_THAT(Shrunk(19, {4, 5, 5}), ElementsAre(4, 4, 1));
  EXPECT_THAT(Shrunk(3, {4, 5, 5}), ElementsAre(3, 1, 1));
  EXPECT_THAT(Shrunk(1, {2147483647, 1, 1}), ElementsAre(1, 1, 1));
  EXPECT_THAT(Shrunk(1000, {2147483647, 65535, 65535}), ElementsAre(1000, 1, 1));
}

}  // namespace
}  // namespace tune
