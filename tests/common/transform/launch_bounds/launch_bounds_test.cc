#include "common/transform/launch_bounds/launch_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::MakeKernel;
using testing::Offered;

TEST(LaunchBounds, BlocksOfAMultiprocessorAreThoseThatItHolds) {
  const Kernel kernel = MakeKernel({true, true}, {4000, 4000});
  const std::map<std::string, std::string> many_points = {
      {"k.tile_size_1", "128"}, {"k.block_size_1", "32"}, {"k.tile_size_0", "32"}, {"k.block_size_0", "8"}};
  DeviceFacts device;
  EXPECT_THAT(Offered(kernel, device, "k.min_blocks", many_points), ElementsAre("0", "1", "2", "3", "4"));
  device.max_threads_per_multiprocessor = 2048;
  EXPECT_THAT(Offered(kernel, device, "k.min_blocks", many_points),
              ElementsAre("0", "1", "2", "3", "4", "8"));
  device.max_blocks_per_multiprocessor = 4;
  EXPECT_THAT(Offered(kernel, device, "k.min_blocks", many_points), ElementsAre("0", "1", "2", "3", "4"));
}

}  // namespace
}  // namespace tune
