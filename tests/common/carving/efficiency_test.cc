#include "common/carving/efficiency.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

// Ryoo et al., section 4.2: matrix multiplication, 16 x 16 threads, 4096 x 4096 elements.
KernelMetrics WorkedExample() {
  KernelMetrics kernel;
  kernel.instructions = 15150;
  kernel.regions = 512 + 256 + 1;
  kernel.threads = 1 << 24;
  kernel.warps_per_block = 8;
  kernel.blocks_per_multiprocessor = 2;
  return kernel;
}

TEST(EfficiencyTest, OfThePapersExample) {
  const StaticMetrics metrics{"matrix multiplication", {WorkedExample()}};
  EXPECT_NEAR(Efficiency(metrics), 3.93e-12, 0.005e-12);
  EXPECT_EQ(std::lround(Utilization(metrics)), 227);
  EXPECT_DOUBLE_EQ(Utilization(metrics), 15150.0 / 769 * 11.5);
}

TEST(EfficiencyTest, LaunchesInTwoHalvesChangeNothing) {
  const StaticMetrics whole{"whole", {WorkedExample()}};
  StaticMetrics halves{"halves", {WorkedExample(), WorkedExample()}};
  for (KernelMetrics& kernel : halves.kernels) kernel.threads /= 2;
  EXPECT_DOUBLE_EQ(Efficiency(halves), Efficiency(whole));
  EXPECT_DOUBLE_EQ(Utilization(halves), Utilization(whole));
  StaticMetrics launches{"launches", {WorkedExample()}};
  launches.kernels[0].threads /= 8;
  launches.kernels[0].launches = 8;
  EXPECT_DOUBLE_EQ(Efficiency(launches), Efficiency(whole));
  EXPECT_DOUBLE_EQ(Utilization(launches), Utilization(whole));
}

TEST(EfficiencyTest, ASmallKernelOfOneWarpHardlyCounts) {
  StaticMetrics metrics{"with an initialisation", {WorkedExample(), {}}};
  KernelMetrics& small = metrics.kernels[1];
  small.instructions = 10;
  small.threads = 32;
  small.blocks_per_multiprocessor = 1;  // of one warp: nothing can run while it waits
  EXPECT_NEAR(Utilization(metrics), 226.56, 0.01);
  EXPECT_NEAR(Efficiency(metrics), 3.93e-12, 0.005e-12);
}

TEST(EfficiencyTest, WithoutABlockThereIsNoUtilisation) {
  StaticMetrics metrics{"too large", {WorkedExample(), WorkedExample()}};
  metrics.kernels[1].blocks_per_multiprocessor = 0;
  EXPECT_EQ(Utilization(metrics), 0);
}

TEST(EfficiencyTest, OfNoKernelIsNothing) {
  EXPECT_EQ(Efficiency({}), 0);
  EXPECT_EQ(Utilization({}), 0);
  EXPECT_EQ(UncoalescedShare({}), 0);
}

}  // namespace
}  // namespace tune
