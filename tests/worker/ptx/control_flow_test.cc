#include "worker/ptx/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/worker/ptx/golden_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::KernelOf;

ControlFlow FlowOf(const std::string& instructions) {
  absl::StatusOr<ControlFlow> flow = ControlFlowOf(KernelOf(instructions).functions.at(0));
  EXPECT_TRUE(flow.ok()) << flow.status();
  return flow.ok() ? *std::move(flow) : ControlFlow();
}

TEST(ControlFlowTest, LoopsAreInEachOther) {
  const ControlFlow flow = FlowOf(
      "mov.u32 %r1, 0;\n"
      "$outer: add.s32 %r2, %r1, 0;\n"
      "$inner: add.s32 %r2, %r2, 1; @%p1 bra $inner;\n"
      "add.s32 %r1, %r1, 1; @%p2 bra $outer;\nret;\n");
  ASSERT_EQ(flow.loops.size(), 2);
  EXPECT_EQ(flow.loops[0].depth, 1);
  EXPECT_EQ(flow.loops[1].depth, 2);
  EXPECT_EQ(flow.loops[1].parent, 0);
  EXPECT_THAT(flow.loops[1].blocks, ElementsAre(2));
  EXPECT_THAT(flow.loops[0].blocks, ElementsAre(1, 2, 3));
  EXPECT_THAT(flow.loops[0].latches, ElementsAre(3));
  EXPECT_TRUE(flow.Contains(0, 2));
  EXPECT_FALSE(flow.Contains(1, 3));
  EXPECT_EQ(flow.LoopEnteredFrom(0, -1), 0);
  EXPECT_EQ(flow.LoopEnteredFrom(1, 0), 1);
  EXPECT_EQ(flow.LoopEnteredFrom(4, -1), -1);
  EXPECT_FALSE(flow.is_irreducible);
}

TEST(ControlFlowTest, WhatNothingReachesIsNotThere) {
  const ControlFlow flow = FlowOf("bra $end;\nadd.s32 %r1, %r1, 1;\n$end: ret;\n");
  EXPECT_EQ(flow.blocks.size(), 2);
}

TEST(ControlFlowTest, AJumpIntoALoopIsTold) {
  const ControlFlow flow = FlowOf(
      "@%p1 bra $middle;\n$top: add.s32 %r1, %r1, 1;\n$middle: add.s32 %r2, %r2, 1; @%p2 bra $top;\nret;\n");
  EXPECT_TRUE(flow.is_irreducible);
}

TEST(ControlFlowTest, BranchesToNowhereAreRefused) {
  const auto refusal = [](const std::string& instructions) {
    return std::string(ControlFlowOf(KernelOf(instructions).functions.at(0)).status().message());
  };
  EXPECT_EQ(refusal("bra $gone;\nret;\n"), "PTX, line 5: a branch to a label that is not there");
  EXPECT_EQ(refusal("bra $end;\n$end:\n"), "PTX, line 5: a branch behind the last instruction");
  EXPECT_EQ(refusal("bra;\n"), "PTX, line 5: a branch without a target");
  EXPECT_THAT(refusal("brx.idx %r1, nothing;\n"), HasSubstr(".branchtargets"));
}

TEST(ControlFlowTest, AFunctionWithoutInstructionsIsOneBlock) { EXPECT_EQ(FlowOf("").blocks.size(), 1); }

TEST(ControlFlowTest, TooManyBlocksAreRefused) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "@%p1 bra $end;\n";
  EXPECT_THAT(ControlFlowOf(KernelOf(many + "$end: ret;\n").functions.at(0)).status().message(),
              HasSubstr("more basic blocks than"));
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += absl::StrCat("$L", i, ": add.s32 %r1, %r1, 1;\n");
  for (int i = 39; i >= 0; --i) deep += absl::StrCat("@%p1 bra $L", i, ";\n");
  EXPECT_THAT(ControlFlowOf(KernelOf(deep + "ret;\n").functions.at(0)).status().message(),
              HasSubstr("loops in each other"));
}

// Whether `to` is reached from the first block without `without`.
bool IsReached(const ControlFlow& flow, int to, int without) {
  std::set<int> seen = {0};
  std::vector<int> todo = {0};
  if (without == 0) return false;
  while (!todo.empty()) {
    const int block = todo.back();
    todo.pop_back();
    for (const int next : flow.blocks[block].successors) {
      if (next != without && seen.insert(next).second) todo.push_back(next);
    }
  }
  return seen.contains(to);
}

// Dominators and orders by their definitions, on random graphs, most of them irreducible.
TEST(ControlFlowTest, IsWhatItsDefinitionsSay) {
  std::mt19937 random(12);
  for (int round = 0; round < 200; ++round) {
    const int count = 2 + static_cast<int>(random() % 12);
    std::string text;
    for (int i = 0; i < count; ++i)
      absl::StrAppend(&text, "$L", i, ": add.s32 %r1, %r1, 1;\n@%p1 bra $L", random() % count, ";\n");
    const ControlFlow flow = FlowOf(text + "ret;\n");
    const int blocks = static_cast<int>(flow.blocks.size());
    ASSERT_EQ(flow.order.size(), blocks);
    for (int block = 1; block < blocks; ++block) {
      ASSERT_FALSE(IsReached(flow, block, flow.blocks[block].dominator));
      for (int other = 0; other < blocks; ++other) {
        if (other == block || IsReached(flow, block, other)) continue;
        ASSERT_TRUE(other == flow.blocks[block].dominator ||
                    !IsReached(flow, flow.blocks[block].dominator, other));
      }
    }
    for (const NaturalLoop& loop : flow.loops) {
      int first = blocks, last = 0;
      for (const int block : loop.blocks) {
        ASSERT_TRUE(block == loop.header || !IsReached(flow, block, loop.header));
        first = std::min(first, flow.position[block]);
        last = std::max(last, flow.position[block]);
      }
      ASSERT_EQ(last - first + 1, static_cast<int>(loop.blocks.size())) << "together";
      ASSERT_EQ(flow.position[loop.header], first);
    }
  }
}

}  // namespace
}  // namespace tune
