#include "common/carving/whole_device.h"

#include <gtest/gtest.h>

#include "common/carving/carving.h"
#include "common/carving/efficiency.h"

namespace tune {
namespace {

constexpr Multiprocessors kTen = {.count = 10, .schedulers = 4};

StaticMetrics Launch(double threads, int64_t warps_per_block, int64_t blocks_per_multiprocessor) {
  KernelMetrics kernel;
  kernel.kernel = "k";
  kernel.instructions = 100;
  kernel.threads = threads;
  kernel.warps_per_block = warps_per_block;
  kernel.blocks_per_multiprocessor = blocks_per_multiprocessor;
  kernel.moved_bytes = 8;
  return {"x", {kernel}};
}

TEST(WholeDeviceTest, BlocksThatFillItStayAsTheyAre) {
  const StaticMetrics launch = Launch(1000 * 64, 2, 16), spread = OnWholeDevice(launch, kTen);
  EXPECT_EQ(spread.kernels[0].threads, launch.kernels[0].threads);
  EXPECT_EQ(spread.kernels[0].blocks_per_multiprocessor, 16);
}

TEST(WholeDeviceTest, TheFullestMultiprocessorSaysHowLongItTakes) {
  // 21 blocks of 2 warps: one multiprocessor has 3, which all ten could have executed.
  const StaticMetrics spread = OnWholeDevice(Launch(21 * 64, 2, 16), kTen);
  EXPECT_EQ(spread.kernels[0].threads, 10 * 3 * 64);
  EXPECT_EQ(spread.kernels[0].blocks_per_multiprocessor, 3);
}

TEST(WholeDeviceTest, SchedulersWithoutAWarpAreLost) {
  const StaticMetrics spread = OnWholeDevice(Launch(5 * 32, 1, 16), kTen);
  EXPECT_EQ(spread.kernels[0].threads, 10 * 4 * 32);
  EXPECT_EQ(spread.kernels[0].blocks_per_multiprocessor, 1);
}

TEST(WholeDeviceTest, WhatDoesNotFitOrIsEmptyStays) {
  EXPECT_EQ(OnWholeDevice(Launch(640, 2, 0), kTen).kernels[0].blocks_per_multiprocessor, 0);
  EXPECT_EQ(OnWholeDevice(Launch(0, 1, 1), kTen).kernels[0].threads, 0);
  EXPECT_EQ(OnWholeDevice(Launch(64, 2, 1), {}).kernels[0].threads, 64) << "the device is not known";
}

TEST(WholeDeviceTest, FewThreadsThatDoAllTheWorkSurpassNothing) {
  // The same sum: 64 blocks of one warp, or 8 whose threads execute seven times as much and so fewer
  // instructions in all.
  StaticMetrics many = Launch(64 * 32, 1, 16), few = Launch(8 * 32, 1, 16);
  few.kernels[0].instructions = 700;
  EXPECT_GT(Efficiency(few), Efficiency(many));
  CarvingOptions options;
  options.multiprocessors = kTen;
  const absl::StatusOr<Carving> carving = Carve({many, few}, options);
  ASSERT_TRUE(carving.ok()) << carving.status();
  EXPECT_FALSE(carving->removed[0].has_value());
  EXPECT_TRUE(carving->removed[1].has_value());
}

}  // namespace
}  // namespace tune
