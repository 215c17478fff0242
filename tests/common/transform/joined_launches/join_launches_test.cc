#include "common/transform/joined_launches/join_launches.h"

#include <gtest/gtest.h>

#include <map>

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

// Kernel 2 is of a group of its own, but for `groups`; 4 is of none.
DeviceProgram JoinedProgram(const std::string& host,
                            const std::map<std::string, int>& groups = {
                                {"k[S0]", 0}, {"k[S1]", 0}, {"k[S2]", 1}, {"k[S3]", 1}}) {
  absl::StatusOr<DeviceProgram> program = ReadDeviceProgram(kProgram);
  EXPECT_TRUE(program.ok()) << program.status();
  program->host = ReadBlock(host).value();
  JoinLaunches("all", groups, &*program);
  return *program;
}

std::string Joined(const std::string& host) { return PrintBlockText(JoinedProgram(host).host); }

// Four blocks of kernel 0 are as large as one of kernel 1, which has 30.
TEST(JoinLaunches, EachKernelHasBlocksOfItsOwn) {
  EXPECT_EQ(Joined("launch 0, first [0], count [10]\nlaunch 1, first [0][1], count [5][6]\n"),
            "merged all, threads 128, blocks 33, joined\n"
            "  turns 0, first [0], count [10], at once 4, own 3\n"
            "  turns 1, first [0][1], count [5][6], own 30\n");
}

TEST(JoinLaunches, GroupsComeOneAfterAnother) {
  EXPECT_EQ(Joined("launch 1\nlaunch 0\nlaunch 2\nlaunch 3\n"),
            "merged all, threads 128, blocks 2, joined\n"
            "  turns 1, own 1\n"
            "  turns 0, at once 4, own 1\n"
            "merged all2, threads 128, blocks 2, joined, per processor 2\n"
            "  turns 2, own 1\n"
            "  turns 3, own 1\n");
}

// What is true of kernels in one iteration of the host's loops says nothing of two.
TEST(JoinLaunches, IterationsAndKernelsStayApart) {
  EXPECT_EQ(Joined("launch 0, host [t]\nlaunch 1, host [t + 1]\nlaunch 1, host [t + 2]\n"),
            "merged all, threads 32, joined\n  turns 0, host [t], own 1\n"
            "merged all2, threads 128, joined, per processor 4\n  turns 1, host [t + 1], own 1\n"
            "merged all3, threads 128, joined, per processor 4\n  turns 1, host [t + 2], own 1\n");
}

// Kernels 0 and 2 touch other elements of A.
TEST(JoinLaunches, ReadersOfWhatOthersWriteKnowThat) {
  const DeviceProgram program = JoinedProgram("launch 0\nlaunch 2\n", {{"k[S0]", 0}, {"k[S2]", 0}});
  EXPECT_EQ(program.host.size(), 1u);
  EXPECT_FALSE(program.kernels[0].arrays[0].shared);
  EXPECT_TRUE(program.kernels[2].arrays[0].shared);
  EXPECT_FALSE(program.kernels[2].arrays[1].shared);
  EXPECT_FALSE(JoinedProgram("launch 0\nlaunch 2\n").kernels[2].arrays[0].shared);
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
