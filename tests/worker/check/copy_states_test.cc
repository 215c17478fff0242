#include "worker/check/copy_states.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

CopyStates States(bool function = false) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[8], of A, row 8, shared, copies 3
  tile float C_registers[4], of C, row 4
)");
  kernel.is_function = function;
  return CopyStates(kernel);
}

TEST(CopyStates, OnlyCopiesInSharedMemoryAreThere) {
  CopyStates states = States();
  EXPECT_NE(states.Find("A_shared0", 2), nullptr);
  EXPECT_EQ(states.Find("A_shared0", 3), nullptr);
  EXPECT_EQ(states.Find("A_shared0", -1), nullptr);
  EXPECT_EQ(states.Find("C_registers", 0), nullptr);
  EXPECT_FALSE(states.Find("A_shared0", 0)->read_open);
  EXPECT_TRUE(States(/*function=*/true).Find("A_shared0", 0)->read_open);
}

// Two groups, of which a wait may leave the later one open.
TEST(CopyStates, AWaitIsForGroups) {
  CopyStates states = States();
  for (int copy = 0; copy < 2; ++copy) {
    *states.Find("A_shared0", copy) = {/*fill_open=*/true, /*read_open=*/false, /*groups=*/0};
    states.Commit();
  }
  EXPECT_EQ(states.Find("A_shared0", 0)->groups, 2);
  EXPECT_EQ(states.Find("A_shared0", 1)->groups, 1);
  states.Await(1);
  EXPECT_FALSE(states.Find("A_shared0", 0)->groups.has_value());
  EXPECT_TRUE(states.Find("A_shared0", 1)->groups.has_value());
  // A barrier tells others only of what has arrived.
  states.PassBarrier();
  EXPECT_FALSE(states.Find("A_shared0", 0)->fill_open);
  EXPECT_TRUE(states.Find("A_shared0", 1)->fill_open);
}

// Copies that were not committed belong to no group.
TEST(CopyStates, WhatIsNotCommittedIsNotWaitedFor) {
  CopyStates states = States();
  *states.Find("A_shared0", 0) = {true, false, 0};
  states.Await(0);
  EXPECT_TRUE(states.Find("A_shared0", 0)->groups.has_value());
}

TEST(CopyStates, NumbersGoRound) {
  CopyStates states = States();
  states.Find("A_shared0", 0)->read_open = true;
  states.Rotate(1);
  EXPECT_TRUE(states.Find("A_shared0", 2)->read_open);
  EXPECT_FALSE(states.Find("A_shared0", 0)->read_open);
  states.Rotate(-4);
  EXPECT_TRUE(states.Find("A_shared0", 0)->read_open);
  states.Mix();
  for (int copy = 0; copy < 3; ++copy) EXPECT_TRUE(states.Find("A_shared0", copy)->read_open);
}

TEST(CopyStates, WhatHappenedOnOnePathHasHappened) {
  CopyStates one = States(), other = States();
  one.Find("A_shared0", 0)->read_open = true;
  *one.Find("A_shared0", 1) = {true, false, 3};
  *other.Find("A_shared0", 1) = {true, false, 1};
  other.Join(one);
  EXPECT_TRUE(other.Find("A_shared0", 0)->read_open);
  EXPECT_EQ(other.Find("A_shared0", 1)->groups, 1);  // the later one is under way for longer
  EXPECT_NE(other, one);
}

}  // namespace
}  // namespace tune
