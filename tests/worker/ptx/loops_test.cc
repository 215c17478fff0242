// Counts of kernels/loops.cu, by hand from its PTX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/compute_capability.h"
#include "tests/worker/ptx/golden_kernels.h"
#include "worker/ptx/kernel_analysis.h"

namespace tune {
namespace {

using testing::GoldenModule;
using testing::Launch;

KernelAnalysis Analysed(const std::string& kernel, const PtxLaunch& launch,
                        const PtxAnalysisOptions& options = {}) {
  static const PtxModule module = GoldenModule("loops.ptx");
  const absl::StatusOr<KernelAnalysis> analysis =
      AnalyseKernel(module, kernel, launch, 1, {32, 0}, FactsOfComputeCapability(9, 0), options);
  EXPECT_TRUE(analysis.ok()) << analysis.status();
  return analysis.value_or(KernelAnalysis());
}

constexpr std::nullopt_t kArray = std::nullopt;

TEST(LoopsTest, AGuardIsPassedByAsManyThreadsAsItLets) {
  const KernelAnalysis analysis = Analysed("guarded", Launch(4, 256, {kArray, kArray, 1000}));
  // 9 up to the branch and the last one of all, 8 more of 1000 of 1024 threads.
  EXPECT_DOUBLE_EQ(analysis.metrics.instructions, 10 + 8 * 1000.0 / 1024);
  EXPECT_DOUBLE_EQ(analysis.metrics.regions, 1 + 1000.0 / 1024);
  EXPECT_DOUBLE_EQ(analysis.metrics.loaded_bytes, 4 * 1000.0 / 1024);
  EXPECT_DOUBLE_EQ(analysis.metrics.stored_bytes, 4 * 1000.0 / 1024);
  EXPECT_EQ(analysis.metrics.threads, 1024);
  EXPECT_EQ(analysis.metrics.warps_per_block, 8);
  EXPECT_TRUE(analysis.IsSure());
}

TEST(LoopsTest, WhereThreadsDifferTheAverageCounts) {
  const KernelAnalysis analysis = Analysed("grid_stride", Launch(4, 64, {kArray, kArray, 1000}));
  ASSERT_EQ(analysis.loops.size(), 1);
  EXPECT_DOUBLE_EQ(analysis.loops[0].trips, 1000.0 / 256);
  EXPECT_EQ(analysis.loops[0].source, TripSource::kFollowed);
  EXPECT_DOUBLE_EQ(analysis.metrics.loaded_bytes, 4 * 1000.0 / 256);
}

TEST(LoopsTest, OfATriangleTheInnerLoopRunsHalf) {
  const KernelAnalysis analysis = Analysed("triangle", Launch(1, 32, {kArray, kArray, 64}));
  EXPECT_DOUBLE_EQ(analysis.loops[0].trips, 64);
  EXPECT_NEAR(analysis.metrics.loaded_bytes, 4 * 64 * 63 / 2, 4 * 10);
  // One wait for each load: each sum needs the element at once.
  EXPECT_NEAR(analysis.metrics.regions, 1 + 64 * 63 / 2, 10);
}

TEST(LoopsTest, ACountThatHalvesIsGoneStepByStep) {
  const KernelAnalysis analysis = Analysed("tree", Launch(8, 256, {kArray}));
  EXPECT_DOUBLE_EQ(analysis.loops[0].trips, 8);
  // 14 before; 6 of each iteration; 6 of those of 128, 64, ... 1 of 256 threads that add; 2 and 1 after; 4 of
  // one thread.
  EXPECT_NEAR(analysis.metrics.instructions, 14 + 8 * 6 + 6 * 255.0 / 256 + 3 + 4.0 / 256, 0.15);
  // A barrier each, the load, and the end.
  EXPECT_DOUBLE_EQ(analysis.metrics.regions, 8 + 1 + 1);
}

TEST(LoopsTest, ARestHasALoopOfItsOwn) {
  const KernelAnalysis analysis = Analysed("remainder_loop", Launch(1, 32, {kArray, kArray, 103}));
  EXPECT_DOUBLE_EQ(analysis.loops[0].trips, 25);
  EXPECT_DOUBLE_EQ(analysis.loops[1].trips, 3);
  EXPECT_DOUBLE_EQ(analysis.metrics.loaded_bytes, 4 * 103);
  // Four loads of an iteration are waited for together.
  EXPECT_DOUBLE_EQ(analysis.metrics.regions, 25 + 3 + 1);
  EXPECT_EQ(analysis.metrics.unknown_accesses, 0);
  EXPECT_DOUBLE_EQ(Analysed("remainder_loop", Launch(1, 32, {kArray, kArray, 2})).metrics.loaded_bytes,
                   4 * 2);
  EXPECT_DOUBLE_EQ(Analysed("remainder_loop", Launch(1, 32, {kArray, kArray, 0})).metrics.loaded_bytes, 0);
}

TEST(LoopsTest, ColumnsAreNotCoalesced) {
  const KernelAnalysis analysis = Analysed("columns", Launch(8, 64, {kArray, kArray, 128}));
  ASSERT_EQ(analysis.accesses.size(), 2);
  EXPECT_EQ(analysis.accesses[0].access.stride_bytes, 512);
  EXPECT_EQ(analysis.accesses[0].access.transactions->touched, 32);
  EXPECT_EQ(analysis.accesses[1].access.stride_bytes, 4);
  EXPECT_DOUBLE_EQ(analysis.metrics.uncoalesced_accesses, 128);
  EXPECT_DOUBLE_EQ(analysis.metrics.global_accesses, 129);
  EXPECT_DOUBLE_EQ(analysis.metrics.moved_bytes, 128 * 32 + 4);
}

TEST(LoopsTest, AddressesMayBeMadeOfBits) {
  const KernelAnalysis analysis = Analysed("bits", Launch(1, 256, {kArray, kArray, 512}));
  EXPECT_EQ(analysis.accesses[0].access.transactions->touched, 8);  // each second element of two rows of 16
  EXPECT_EQ(analysis.accesses[0].access.transactions->needed, 4);
  EXPECT_EQ(analysis.accesses[1].access.transactions->touched, 4);
  EXPECT_FALSE(analysis.accesses[1].access.stride_bytes.has_value());
}

TEST(LoopsTest, WhatIsLoadedIsNotKnown) {
  const KernelAnalysis analysis = Analysed("gather", Launch(1, 64, {}));
  EXPECT_EQ(analysis.metrics.unknown_accesses, 1);
  EXPECT_EQ(analysis.metrics.uncoalesced_accesses, 0);
  EXPECT_EQ(analysis.metrics.regions, 3);  // the index, then the element
}

TEST(LoopsTest, ALoopThatNobodyKnowsIsAssumed) {
  const KernelAnalysis analysis = Analysed("list", Launch(1, 64, {}));
  EXPECT_EQ(analysis.loops[0].source, TripSource::kAssumed);
  EXPECT_EQ(analysis.loops[0].trips, 16);
  EXPECT_FALSE(analysis.IsSure());
  PtxAnalysisOptions options;
  options.assumed_trips = 100;
  EXPECT_EQ(Analysed("list", Launch(1, 64, {}), options).loops[0].trips, 100);
}

TEST(LoopsTest, TheUserMaySayHowOften) {
  const KernelAnalysis analysis = Analysed("annotated", Launch(1, 64, {}));
  EXPECT_EQ(analysis.loops[0].source, TripSource::kAnnotated);
  EXPECT_EQ(analysis.loops[0].trips, 40);
  EXPECT_DOUBLE_EQ(analysis.metrics.loaded_bytes, 4 * 41);
  EXPECT_TRUE(analysis.IsSure());
}

TEST(LoopsTest, TheKnownOneOfTwoExitsBounds) {
  const KernelAnalysis analysis = Analysed("search", Launch(1, 64, {kArray, kArray, 50}));
  EXPECT_EQ(analysis.loops[0].trips, 50);
  EXPECT_EQ(analysis.loops[0].source, TripSource::kFollowed);
}

TEST(LoopsTest, WithoutAnythingSlowerFunctionsAreSlow) {
  EXPECT_EQ(Analysed("functions", Launch(1, 64, {})).metrics.regions, 2);
}

TEST(LoopsTest, UnknownKernelsAndLaunchesAreRefused) {
  const PtxModule module = GoldenModule("loops.ptx");
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  EXPECT_EQ(AnalyseKernel(module, "nothing", Launch(1, 1, {}), 1, {}, device).status().message(),
            "PTX: it has no function nothing");
  EXPECT_EQ(AnalyseKernel(module, "tree", Launch(0, 1, {}), 1, {}, device).status().message(),
            "a launch of 0 blocks along x; it can have from 1 to 2147483647");
  EXPECT_EQ(AnalyseKernel(module, "tree", Launch(1, 2048, {}), 1, {}, device).status().message(),
            "a block of 2048 threads along x; it can have from 1 to 1024");
  PtxAnalysisOptions options;
  options.assumed_trips = -1;
  EXPECT_FALSE(AnalyseKernel(module, "tree", Launch(1, 1, {}), 1, {}, device, options).ok());
}

}  // namespace
}  // namespace tune
