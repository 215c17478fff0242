#include "worker/ptx/blocking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/ptx/golden_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::KernelOf;

std::vector<int64_t> Waits(const std::string& instructions) {
  const PtxModule module = KernelOf(instructions);
  return WaitsOfBlocks(module.functions.at(0), *ControlFlowOf(module.functions.at(0)));
}

// Ryoo et al., figure 3: the stores wait for both loads at once.
TEST(BlockingTest, IndependentLoadsAreOneWait) {
  EXPECT_THAT(Waits("ld.global.f32 %f1, [%rd1];\nst.shared.f32 [%r1], %f1;\n"
                    "ld.global.f32 %f2, [%rd2];\nst.shared.f32 [%r2], %f2;\nbar.sync 0;\nret;\n"),
              ElementsAre(2));
}

TEST(BlockingTest, ALoadWhoseAddressIsLoadedWaitsTwice) {
  EXPECT_THAT(Waits("ld.global.u64 %rd2, [%rd1];\nld.global.u64 %rd3, [%rd2];\nld.global.f32 %f1, [%rd3];\n"
                    "st.global.f32 [%rd1], %f1;\nret;\n"),
              ElementsAre(3));
}

TEST(BlockingTest, WhatIsNeverNeededIsNotWaitedFor) {
  EXPECT_THAT(Waits("ld.global.f32 %f1, [%rd1];\nret;\n"), ElementsAre(0));
  EXPECT_THAT(Waits("ld.shared.f32 %f1, [%r1];\nadd.f32 %f2, %f1, %f1;\nret;\n"), ElementsAre(0));
  EXPECT_THAT(Waits("ld.const.f32 %f1, [%r1];\nadd.f32 %f2, %f1, %f1;\nbar.warp.sync 1;\nret;\n"),
              ElementsAre(0));
}

TEST(BlockingTest, ALoadStaysBehindAStoreToTheSameMemory) {
  const std::string before = "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\n";
  const std::string after = " %f2, [%rd3];\nst.global.f32 [%rd4], %f2;\nret;\n";
  EXPECT_THAT(Waits(before + "ld.global.f32" + after), ElementsAre(2));
  EXPECT_THAT(Waits(before + "ld.global.nc.f32" + after), ElementsAre(1));  // of what nobody writes
}

TEST(BlockingTest, PrefetchedElementsAreWaitedForInTheNextIteration) {
  EXPECT_THAT(Waits("ld.global.f32 %f1, [%rd1];\n"
                    "$loop: st.shared.f32 [%r1], %f1;\nbar.sync 0;\nld.global.f32 %f1, [%rd1+4];\n"
                    "bar.sync 0;\n@%p1 bra $loop;\nret;\n"),
              ElementsAre(0, 3, 0));
}

TEST(BlockingTest, TheOtherBlockWaitsOnce) {
  EXPECT_THAT(Waits("ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd2];\n@%p1 bra $end;\n"
                    "add.f32 %f3, %f1, %f1;\nbar.sync 0;\nadd.f32 %f4, %f2, %f2;\n$end: ret;\n"),
              ElementsAre(0, 2, 0));
}

TEST(BlockingTest, FunctionsAreSlowWhereNothingElseIs) {
  const std::string function = "sin.approx.f32 %f2, %f1;\nadd.f32 %f3, %f2, %f2;\n";
  EXPECT_THAT(Waits(function + "ret;\n"), ElementsAre(1));
  EXPECT_THAT(Waits(function + "bar.sync 0;\nret;\n"), ElementsAre(1)) << "the barrier alone";
}

TEST(BlockingTest, CopiesAreWaitedForWhereTheTextSays) {
  EXPECT_THAT(Waits("cp.async.cg.shared.global [%r1], [%rd1], 16;\ncp.async.commit_group;\n"
                    "cp.async.wait_group 0;\nbar.sync 0;\nret;\n"),
              ElementsAre(2));
}

TEST(BlockingTest, AtomicsAndTexturesAreSlow) {
  EXPECT_THAT(Waits("atom.global.add.u32 %r1, [%rd1], 1;\nadd.s32 %r2, %r1, 1;\nret;\n"), ElementsAre(1));
  EXPECT_THAT(Waits("red.global.add.u32 [%rd1], 1;\nadd.s32 %r2, %r1, 1;\nret;\n"), ElementsAre(0));
  EXPECT_THAT(Waits("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];\nadd.f32 %f5, %f1, %f2;\nret;\n"),
              ElementsAre(1));
}

}  // namespace
}  // namespace tune
