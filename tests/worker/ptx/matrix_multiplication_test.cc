// Ryoo et al., section 4.2: 4096 x 4096 elements in tiles of 16 x 16; a thread of the form of figure 2 (b)
// executes 15,150 instructions in 769 regions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/carving/carving.h"
#include "common/carving/efficiency.h"
#include "tests/worker/ptx/golden_kernels.h"
#include "worker/ptx/kernel_analysis.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::GoldenModule;

// Tables 1 and 2 of the paper.
DeviceFacts Geforce8800() {
  DeviceFacts device;
  device.max_threads_per_block = 512;
  device.max_threads_per_multiprocessor = 768;
  device.max_blocks_per_multiprocessor = 8;
  device.registers_per_multiprocessor = 8192;
  device.shared_bytes_per_block = device.shared_bytes_per_block_optin = 16 << 10;
  device.shared_bytes_per_multiprocessor = 16 << 10;
  device.reserved_shared_bytes_per_block = 0;
  return device;
}

// With registers as that device's compiler gave them: ours are another one's.
KernelMetrics Metrics(const std::string& kernel, int64_t wide = 1, int64_t tile = 16,
                      int64_t registers = 13) {
  static const PtxModule module = GoldenModule("matrix_multiplication.ptx");
  PtxLaunch launch;
  launch.grid[0] = 4096 / tile / wide;
  launch.grid[1] = 4096 / tile;
  launch.block[0] = launch.block[1] = tile;
  launch.parameters = {std::nullopt, std::nullopt, std::nullopt, 4096};
  PtxAnalysisOptions options;
  options.transaction_bytes = 64;  // 16 words
  const absl::StatusOr<KernelAnalysis> analysis =
      AnalyseKernel(module, kernel, launch, 1, {registers, 0}, Geforce8800(), options);
  EXPECT_TRUE(analysis.ok()) << analysis.status();
  EXPECT_TRUE(analysis->IsSure());
  return analysis->metrics;
}

TEST(MatrixMultiplicationTest, IsThePapersExample) {
  const KernelMetrics metrics = Metrics("unrolled");
  // An iteration has 59 instructions in both; what comes before and after has 43 today and had 46, with
  // addresses of 32 bits and another compiler.
  EXPECT_EQ(metrics.instructions, 256 * 59 + 43);
  EXPECT_NEAR(metrics.instructions, 15150, 5);
  EXPECT_EQ(metrics.regions, 769);
  EXPECT_EQ(metrics.threads, 1 << 24);
  EXPECT_EQ(metrics.warps_per_block, 8);
  EXPECT_EQ(metrics.blocks_per_multiprocessor, 2);
  const StaticMetrics all{"unrolled", {metrics}};
  EXPECT_NEAR(Efficiency(all), 3.93e-12, 0.01e-12);
  EXPECT_EQ(std::lround(Utilization(all)), 227);
}

// The inner loop has two loads and a product, two additions to addresses, one to the counter, its comparison
// and branch.
TEST(MatrixMultiplicationTest, WithoutUnrollingTheInnerLoopHasMore) {
  const KernelMetrics metrics = Metrics("base");
  EXPECT_EQ(metrics.regions, 769);
  EXPECT_EQ(metrics.instructions, 256 * (16 * 8 + 17) + 38);
  EXPECT_EQ(metrics.loaded_bytes, 256 * 2 * 4);
}

TEST(MatrixMultiplicationTest, PrefetchingLoadsOnceMoreAndWaitsAsOften) {
  const KernelMetrics metrics = Metrics("prefetched"), before = Metrics("unrolled");
  EXPECT_EQ(metrics.loaded_bytes, 257 * 2 * 4);
  EXPECT_EQ(metrics.regions, before.regions);
  EXPECT_NEAR(metrics.instructions, before.instructions, 32);
}

// Each iteration: a load, a store, 16 loads of shared memory and 16 products for each further tile.
TEST(MatrixMultiplicationTest, WiderTilesShareWhatOneTileLoads) {
  const KernelMetrics one = Metrics("unrolled"), two = Metrics("rectangular_2", 2),
                      four = Metrics("rectangular_4", 4);
  EXPECT_NEAR(two.instructions - one.instructions, 256 * (2 + 16 * 2), 16);
  EXPECT_NEAR(four.instructions - one.instructions, 3 * 256 * (2 + 16 * 2), 32);
  EXPECT_EQ(two.threads, one.threads / 2);
  EXPECT_EQ(four.threads, one.threads / 4);
  EXPECT_EQ(four.regions, one.regions);
  EXPECT_EQ(four.loaded_bytes, 256 * 5 * 4);
  EXPECT_EQ(four.stored_bytes, 16);
}

TEST(MatrixMultiplicationTest, RowsOfEightAreNotCoalesced) {
  const KernelMetrics small = Metrics("small_tiles", 1, 8);
  EXPECT_EQ(small.uncoalesced_accesses, small.global_accesses);
  EXPECT_EQ(small.regions, 512 * 3 + 1);
  EXPECT_EQ(Metrics("unrolled").uncoalesced_accesses, 0);
}

// The most efficient form has the lowest utilisation ("the best configuration for matrix multiplication has
// one of the lowest utilization values"), since a multiprocessor has registers for one block of it alone.
TEST(MatrixMultiplicationTest, CarvingKeepsTheTradeOff) {
  const std::vector<StaticMetrics> all = {{"base", {Metrics("base")}},
                                          {"unrolled", {Metrics("unrolled")}},
                                          {"1 x 2", {Metrics("rectangular_2", 2, 16, 16)}},
                                          {"1 x 4", {Metrics("rectangular_4", 4, 16, 24)}},
                                          {"8 x 8", {Metrics("small_tiles", 1, 8)}}};
  const absl::StatusOr<Carving> carving = Carve(all, {});
  ASSERT_TRUE(carving.ok()) << carving.status();
  EXPECT_THAT(carving->Kept(), ElementsAre(0, 2, 3));
  EXPECT_EQ(std::get<IsSurpassed>(*carving->removed[1]).by, 2) << Explain(*carving, all, 1);
  EXPECT_EQ(std::get<FailsThreshold>(*carving->removed[4]).threshold, Threshold::kCoalesced);
}

}  // namespace
}  // namespace tune
