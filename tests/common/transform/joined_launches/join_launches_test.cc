#include "common/transform/joined_launches/join_launches.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// Kernel 0 writes A, 1 writes B, 2 reads A and writes C, 3 reads D, which nobody writes, and so does 4.
constexpr char kProgram[] = R"(device program
array 0 float A[8], written
array 1 float B[8], written
array 2 float C[8], written
array 3 float D[8]
array 4 float E[8], written
kernel f0 of k[S0], threads 32 1 1, function
  axis most 100
  array 0, writes
kernel f1 of k[S1], threads 64 2 1, min blocks 4, function
  axis most 9
  array 1, writes
kernel f2 of k[S2], threads 128 1 1, min blocks 2, function
  array 0
  array 2, writes
kernel f3 of k[S3], threads 128 1 1, min blocks 8, function
  array 3
  array 4, writes
kernel f4 of k[S4], threads 32 1 1
  array 3
)";

std::string Joined(const std::string& host) {
  absl::StatusOr<DeviceProgram> program = ReadDeviceProgram(kProgram);
  EXPECT_TRUE(program.ok()) << program.status();
  program->host = ReadBlock(host).value();
  JoinLaunches(
      "all", [&](int kernel) { return program->kernels[kernel].is_function; }, &*program);
  return PrintBlockText(program->host);
}

// Four blocks of kernel 0 are as large as one of kernel 1, which has 30.
TEST(JoinLaunches, EachKernelHasBlocksOfItsOwn) {
  EXPECT_EQ(Joined("launch 0, first [0], count [10]\nlaunch 1, first [0][1], count [5][6]\n"),
            "merged all, threads 128, blocks 33, joined\n"
            "  turns 0, first [0], count [10], at once 4, own 3\n"
            "  turns 1, first [0][1], count [5][6], own 30\n");
}

TEST(JoinLaunches, WhatNeedsAnotherComesAfterIt) {
  EXPECT_EQ(Joined("launch 1\nlaunch 0\nlaunch 2\nlaunch 3\n"),
            "merged all, threads 128, blocks 2, joined\n"
            "  turns 1, own 1\n"
            "  turns 0, at once 4, own 1\n"
            "merged all2, threads 128, blocks 2, joined, per processor 2\n"
            "  turns 2, own 1\n"
            "  turns 3, own 1\n");
}

// As many blocks as there are in any iteration.
TEST(JoinLaunches, NumbersOfBlocksMayVary) {
  EXPECT_EQ(
      Joined(
          "for t = 0; t < 9; t += 1\n  launch 0, first [0], count [t]\n  launch 1, first [0], count [2]\n"),
      "for t = 0; t < 9; t += 1\n"
      "  merged all, threads 128, blocks 27, joined, within t\n"
      "    turns 0, first [0], count [t], at once 4, own 25\n"
      "    turns 1, first [0], count [2], own 2\n");
}

TEST(JoinLaunches, OthersStandBetween) {
  EXPECT_EQ(Joined("launch 0\nlaunch 4\nlaunch 1\nif t\n  launch 3\n"),
            "merged all, threads 32, joined\n  turns 0, own 1\n"
            "launch 4\n"
            "merged all2, threads 128, joined, per processor 4\n  turns 1, own 1\n"
            "if t\n  merged all3, threads 128, joined, per processor 8\n    turns 3, own 1\n");
}

}  // namespace
}  // namespace tune
