#include "common/transform/shared_memory/shared_memory.h"

#include <gtest/gtest.h>

#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using testing::MakeKernel;

Kernel Reads(const std::vector<int64_t>& trip_counts, const std::vector<bool>& along_rows) {
  Kernel kernel = MakeKernel(std::vector<bool>(trip_counts.size(), true), trip_counts);
  kernel.read_only_arrays = {"A"};
  kernel.constant_reads = {{"S0", 1}};
  kernel.bands[0].along_rows = along_rows;
  return kernel;
}

bool IsOn(const Kernel& kernel) { return testing::Default(kernel).Get<SharedTiles>().on; }

TEST(SharedMemory, HoldsTilesOfLargeArraysThatAreTransposed) {
  EXPECT_TRUE(IsOn(Reads({4000, 5000}, {true, false})));
  EXPECT_TRUE(IsOn(Reads({4000, 5000}, {true, true})));    // of two arrays
  EXPECT_FALSE(IsOn(Reads({4000, 5000}, {false, true})));  // a copy, or a stencil
  EXPECT_FALSE(IsOn(Reads({400, 500}, {true, false})));    // all there at once: caches hold the lines
  EXPECT_FALSE(IsOn(Reads({4'000'000}, {true})));
  EXPECT_FALSE(IsOn(Reads({4000, 5000}, {})));
}

TEST(SharedMemory, HoldsWhatLoopsUseAgain) {
  Kernel kernel = Reads({400, 500, 600}, {});
  kernel.bands[0].coincident[2] = false;
  EXPECT_TRUE(IsOn(kernel));
}

}  // namespace
}  // namespace tune
