#include "worker/ptx/kernel_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/compute_capability.h"
#include "tests/worker/ptx/golden_kernels.h"

namespace tune {
namespace {

using testing::KernelOf;
using testing::Launch;

KernelAnalysis Of(const std::string& instructions, const PtxLaunch& launch,
                  const PtxAnalysisOptions& options = {}) {
  const absl::StatusOr<KernelAnalysis> analysis =
      AnalyseKernel(KernelOf(instructions), "k", launch, 1, {32, 0}, FactsOfComputeCapability(9, 0), options);
  EXPECT_TRUE(analysis.ok()) << analysis.status();
  return analysis.value_or(KernelAnalysis());
}

// Of the loop of a text with one.
LoopTrips Trips(const std::string& instructions, std::vector<std::optional<int64_t>> parameters = {}) {
  return Of(instructions, Launch(1, 32, std::move(parameters))).loops.at(0);
}

TEST(KernelAnalysisTest, LoopsMayCountInAnyWay) {
  const std::string up = "mov.u32 %r1, 0;\n$L: add.s32 %r1, %r1, 3;\n";
  EXPECT_EQ(Trips(up + "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\nret;\n").trips, 4);
  EXPECT_EQ(Trips(up + "setp.le.u32 %p1, %r1, 9;\n@%p1 bra $L;\nret;\n").trips, 4);
  EXPECT_EQ(Trips(up + "setp.ge.s32 %p1, %r1, 9;\n@!%p1 bra $L;\nret;\n").trips, 3);
  EXPECT_EQ(Trips(up + "setp.ge.s32 %p1, %r1, 3000000;\n@!%p1 bra $L;\nret;\n").trips, 1e6);
  EXPECT_EQ(Trips(up + "setp.ne.s32 %p1, %r1, 9;\n@%p1 bra $L;\nret;\n").trips, 3);
  EXPECT_EQ(Trips(up + "setp.eq.s32 %p1, %r1, 9;\n@!%p1 bra $L;\nret;\n").trips, 3);
  const std::string down = "mov.u32 %r1, 12;\n$L: add.s32 %r1, %r1, 4294967294;\n";
  EXPECT_EQ(Trips(down + "setp.gt.s32 %p1, %r1, 0;\n@%p1 bra $L;\nret;\n").trips, 6);
  // The test before the work.
  EXPECT_EQ(
      Trips("mov.u32 %r1, 0;\n$L: setp.ge.s32 %p1, %r1, 7;\n@%p1 bra $end;\nadd.s32 %r1, %r1, 1;\nbra $L;\n"
            "$end: ret;\n")
          .trips,
      7);
  // With the value from before the addition.
  EXPECT_EQ(Trips("mov.u32 %r1, 8;\n$L: mov.u32 %r2, %r1;\nsub.s32 %r1, %r1, 1;\nsetp.gt.s32 %p1, %r2, 1;\n"
                  "@%p1 bra $L;\nret;\n")
                .trips,
            8);
}

TEST(KernelAnalysisTest, BoundsMayBeComputed) {
  const std::string loop = "$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r9;\n@%p1 bra $L;\nret;\n";
  const std::string zero = "mov.u32 %r1, 0;\nld.param.u32 %r2, [p0];\nld.param.u32 %r3, [p1];\n";
  EXPECT_EQ(Trips(zero + "mad.lo.s32 %r9, %r2, %r3, 5;\n" + loop, {3, 4}).trips, 17);
  EXPECT_EQ(Trips(zero + "div.s32 %r9, %r2, %r3;\n" + loop, {100, 7}).trips, 14);
  EXPECT_EQ(Trips(zero + "min.s32 %r9, %r2, %r3;\n" + loop, {100, 7}).trips, 7);
  EXPECT_EQ(Trips(zero + "setp.lt.s32 %p2, %r2, %r3;\nselp.b32 %r9, 20, 30, %p2;\n" + loop, {1, 2}).trips,
            20);
  EXPECT_EQ(Trips(zero + "mov.u32 %r9, %ntid.x;\n" + loop).trips, 32);
  // Of threads 0 to 31, at least once each: the average.
  EXPECT_NEAR(Trips(zero + "mov.u32 %r9, %tid.x;\n" + loop).trips, (1 + 31 * 32 / 2) / 32.0, 0.01);
  const LoopTrips unknown = Trips(zero + "mov.u32 %r9, %r2;\n" + loop);
  EXPECT_EQ(unknown.source, TripSource::kAssumed) << "the parameter is not given";
}

TEST(KernelAnalysisTest, BitsAndSignsAreThoseOfTheType) {
  const std::string start = "mov.u32 %r1, 0;\nld.param.u32 %r2, [p0];\n";
  const std::string loop = "$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r9;\n@%p1 bra $L;\nret;\n";
  EXPECT_EQ(Trips(start + "bfi.b32 %r9, %r2, 1, 4, 3;\n" + loop, {13}).trips, 5 * 16 + 1);
  EXPECT_EQ(Trips(start + "bfe.u32 %r9, %r2, 2, 4;\n" + loop, {0x1f7}).trips, 13);
  EXPECT_EQ(Trips(start + "shr.u32 %r9, %r2, 28;\n" + loop, {-1}).trips, 15);
  EXPECT_EQ(Trips(start + "min.u32 %r9, %r2, 9;\n" + loop, {-1}).trips, 9);
  EXPECT_EQ(Trips(start + "min.s32 %r9, %r2, 9;\n" + loop, {-1}).trips, 1);
  EXPECT_EQ(Trips(start + "setp.lt.u32 %p2, %r2, 9;\nselp.b32 %r9, 20, 30, %p2;\n" + loop, {-1}).trips, 30);
}

TEST(KernelAnalysisTest, OneOfTwoConditionsSuffices) {
  const std::string loop =
      "mov.u32 %r1, 0;\n$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 20;\nsetp.lt.s32 %p2, %r1, 12;\n";
  EXPECT_EQ(Trips(loop + "and.pred %p3, %p1, %p2;\n@%p3 bra $L;\nret;\n").trips, 12);
  EXPECT_EQ(Trips(loop + "not.pred %p4, %p2;\n@!%p4 bra $L;\nret;\n").trips, 12);
  EXPECT_EQ(Trips(loop + "or.pred %p3, %p1, %p2;\n@%p3 bra $L;\nret;\n").trips, 20);
  EXPECT_EQ(Trips("mov.u32 %r1, 0;\n$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 20;\n"
                  "setp.lt.and.s32 %p2, %r1, 5, %p1;\n@%p2 bra $L;\nret;\n")
                .trips,
            5);
}

TEST(KernelAnalysisTest, LinesOfTheSourceNameLoops) {
  const std::string text =
      "ld.global.u32 %r9, [%rd1];\n.loc 1 7 3\n$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r9;\n"
      ".loc 1 6 3\n@%p1 bra $L;\nret;\n";
  PtxAnalysisOptions options;
  options.trips_of_line[{1, 6}] = 50;
  const KernelAnalysis analysis = Of(text, Launch(1, 32, {}), options);
  EXPECT_EQ(analysis.loops.at(0).source, TripSource::kAnnotated);
  EXPECT_EQ(analysis.loops[0].source_line, 6);
  EXPECT_EQ(analysis.metrics.instructions, 1 + 50 * 3 + 1);
  options.trips_of_line = {{{1, 7}, 50}};
  EXPECT_EQ(Of(text, Launch(1, 32, {}), options).loops[0].source, TripSource::kAssumed);
}

TEST(KernelAnalysisTest, OfABranchThatNobodyKnowsEachWayIsHalf) {
  const KernelAnalysis analysis =
      Of("ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\nadd.s32 %r2, %r1, 1;\n"
         "add.s32 %r3, %r2, 1;\n$end: ret;\n",
         Launch(1, 32, {}));
  EXPECT_EQ(analysis.metrics.instructions, 4 + 2 * 0.5);
  EXPECT_EQ(analysis.unknown_branches, 1);
  EXPECT_FALSE(analysis.IsSure());
}

TEST(KernelAnalysisTest, ThreadsThatReturnEarlyDoNoMore) {
  const KernelAnalysis analysis =
      Of("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 8;\n@%p1 ret;\nadd.s32 %r2, %r1, 1;\nret;\n",
         Launch(1, 32, {}));
  EXPECT_EQ(analysis.metrics.instructions, 3 + 2 * 8 / 32.0);
}

TEST(KernelAnalysisTest, AMultiplicationMayCountAsMore) {
  const std::string text =
      "mad.lo.s32 %r1, %r2, %r3, 1;\nmul.wide.u32 %rd1, %r1, 4;\nmul.f32 %f1, %f1, %f1;\nret;\n";
  PtxAnalysisOptions options;
  options.multiplication = 4;
  EXPECT_EQ(Of(text, Launch(1, 32, {})).metrics.instructions, 4);
  EXPECT_EQ(Of(text, Launch(1, 32, {}), options).metrics.instructions, 4 + 4 + 1 + 1);
}

TEST(KernelAnalysisTest, CallsAreTold) {
  const KernelAnalysis analysis = Of("call.uni f, ();\nret;\n", Launch(1, 32, {}));
  EXPECT_EQ(analysis.calls, 1);
  EXPECT_FALSE(analysis.IsSure());
}

TEST(KernelAnalysisTest, VectorsAreWideAccesses) {
  const KernelAnalysis analysis =
      Of("mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 16;\nadd.s64 %rd3, %rd1, %rd2;\n"
         "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3+16];\nst.global.f64 [%rd1], %fd1;\n"
         "cp.async.ca.shared.global [%r2], [%rd3], 8, 8;\nred.global.add.f32 [%rd3], %f1;\nret;\n",
         Launch(1, 32, {}));
  ASSERT_EQ(analysis.accesses.size(), 4);
  EXPECT_EQ(analysis.metrics.loaded_bytes, 16 + 8 + 4);
  EXPECT_EQ(analysis.metrics.stored_bytes, 8);
  EXPECT_EQ(analysis.accesses[0].access.stride_bytes, 16);
  EXPECT_TRUE(analysis.accesses[0].access.transactions->AreCoalesced());
  EXPECT_EQ(analysis.accesses[1].access.stride_bytes, 0);
  EXPECT_EQ(analysis.accesses[1].access.transactions->touched, 1);
  EXPECT_FALSE(analysis.accesses[2].access.transactions->AreCoalesced()) << "8 of each 16 bytes";
}

// The distance of rows is not known, that of elements is.
TEST(KernelAnalysisTest, RowsCanBeLookedAtAlone) {
  PtxLaunch launch = Launch(4, 16, {});
  launch.block[1] = 16;
  const KernelAnalysis analysis = Of(
      "ld.param.u32 %r1, [p0];\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r2, %r1, %r3;\n"
      "mul.wide.s32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\nret;\n",
      launch);
  ASSERT_TRUE(analysis.accesses.at(0).access.transactions.has_value());
  EXPECT_EQ(analysis.accesses[0].access.stride_bytes, 4);
  EXPECT_EQ(analysis.accesses[0].access.transactions->touched, 4);
  EXPECT_EQ(analysis.metrics.unknown_accesses, 0);
}

// As unrolled loops end: the rest, one by one, with a way out after each.
TEST(KernelAnalysisTest, OneBranchAfterTheOtherMaySkip) {
  const std::string text =
      "ld.param.u32 %r1, [p0];\nmov.u32 %r2, 10;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $join;\n"
      "mov.u32 %r2, 20;\nsetp.ne.s32 %p2, %r1, 1;\n@!%p2 bra $join;\n"
      "mov.u32 %r2, 30;\nsetp.eq.s32 %p3, %r1, 2;\n@%p3 bra $join;\nmov.u32 %r2, 40;\n"
      "$join: mov.u32 %r3, 0;\n$L: add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p4, %r3, %r2;\n@%p4 bra $L;\nret;\n";
  for (const int64_t rest : {0, 1, 2, 3}) EXPECT_EQ(Trips(text, {rest}).trips, 10 * (rest + 1));
}

// An inner loop moves an address on, by as much as it iterates.
TEST(KernelAnalysisTest, AddressesMayMoveInInnerLoops) {
  const KernelAnalysis analysis =
      Of("mov.u32 %r5, %tid.x;\nmul.wide.u32 %rd2, %r5, 4;\nadd.s64 %rd4, %rd1, %rd2;\nmov.u32 %r1, 0;\n"
         "$outer: mov.u32 %r2, 0;\n"
         "$inner: ld.global.f32 %f1, [%rd4];\nadd.s64 %rd4, %rd4, 128;\nadd.s32 %r2, %r2, 1;\n"
         "setp.lt.s32 %p1, %r2, 8;\n@%p1 bra $inner;\n"
         "add.s64 %rd4, %rd4, 64;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p2, %r1, 5;\n@%p2 bra $outer;\nret;\n",
         Launch(1, 32, {}));
  EXPECT_EQ(analysis.metrics.instructions, 4 + 5 * (1 + 8 * 5 + 4) + 1);
  EXPECT_EQ(analysis.accesses.at(0).access.stride_bytes, 4);
  EXPECT_EQ(analysis.metrics.uncoalesced_accesses, 0);
  EXPECT_EQ(analysis.metrics.unknown_accesses, 0);
}

TEST(KernelAnalysisTest, BlocksThatFitAreByRegistersAndSharedMemory) {
  const PtxModule module = KernelOf(".shared .align 4 .b8 tile[32768];\nret;\n");
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  const auto blocks = [&](int64_t registers, int64_t dynamic) {
    return AnalyseKernel(module, "k", Launch(1, 256, {}), 1, {registers, dynamic}, device)
        ->metrics.blocks_per_multiprocessor;
  };
  EXPECT_EQ(blocks(32, 0), 6);  // 33 KiB each of 228
  EXPECT_EQ(blocks(128, 0), 2);
  EXPECT_EQ(blocks(32, 64 << 10), 2);
  EXPECT_EQ(blocks(32, 300 << 10), 0);
}

TEST(KernelAnalysisTest, SharedMemoryAndDeviceMayBeBounds) {
  const auto trips = [](const std::string& bound) {
    const std::string text = "mov.u32 %r1, 0;\nmov.u32 %r9, " + bound +
                             ";\n$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r9;\n@%p1 bra $L;\nret;\n";
    DeviceFacts device = FactsOfComputeCapability(9, 0);
    device.multiprocessors = 132;
    return AnalyseKernel(KernelOf(text), "k", Launch(1, 32, {}), 1, {32, 96}, device)->loops.at(0);
  };
  EXPECT_EQ(trips("%dynamic_smem_size").trips, 96);
  EXPECT_EQ(trips("%total_smem_size").trips, 96);
  EXPECT_EQ(trips("%nsmid").trips, 132);
  EXPECT_EQ(trips("%smid").source, TripSource::kAssumed);
}

TEST(KernelAnalysisTest, LinesOfOtherFilesAreOthers) {
  const std::string text =
      "ld.global.u32 %r9, [%rd1];\n$L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r9;\n"
      ".loc 2 6 3\n@%p1 bra $L;\nret;\n";
  PtxAnalysisOptions options;
  options.trips_of_line[{1, 6}] = 50;
  EXPECT_EQ(Of(text, Launch(1, 32, {}), options).loops.at(0).source, TripSource::kAssumed);
  options.trips_of_line[{2, 6}] = 70;
  EXPECT_EQ(Of(text, Launch(1, 32, {}), options).loops.at(0).trips, 70);
}

}  // namespace
}  // namespace tune
