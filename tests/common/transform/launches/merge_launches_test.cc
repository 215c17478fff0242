#include "common/transform/launches/merge_launches.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// Kernel 0 writes A, 1 reads A and writes B, 2 reads A alone, 3 writes C and takes a scalar.
constexpr char kFiveKernels[] = R"(device program
array 0 float A[8], written
array 1 float B[8], written
array 2 float C[8], written
array 3 float s, by value
kernel f0 of k[S0], threads 32 1 1, function
  array 0, writes
kernel f1 of k[S1], threads 16 2 1, function
  array 0
  array 1, writes
kernel f2 of k[S2], threads 64 1 1, function
  array 0
kernel f3 of k[S3], threads 128 1 1, function, index long
  array 2, writes
  array 3
)";

MergedLaunch LaunchOf(const std::string& function, int64_t blocks) {
  MergedLaunch launch;
  launch.function = function;
  launch.threads = 128;
  launch.blocks = blocks;
  return launch;
}

std::string Merged(const std::string& host, int64_t blocks = 4) {
  DeviceProgram program = ReadDeviceProgram(kFiveKernels).value();
  program.host = ReadBlock(host).value();
  MergeLaunches(
      LaunchOf("all", blocks), [](int) { return true; }, &program);
  EXPECT_EQ(program.host.size(), 1u);
  const auto* const merged = program.host[0].As<MergedLaunch>();
  EXPECT_EQ(merged->function, "all");
  EXPECT_EQ(merged->threads, 128);
  EXPECT_EQ(merged->blocks, blocks);
  return PrintBlockText(merged->body);
}

TEST(MergeLaunches, BlocksTakeTheKernelsBlocksInTurns) {
  EXPECT_EQ(Merged("launch 0, host [h], first [1], count [8]\n"),
            "turns 0, host [h], first [1], count [8], at once 4\n");
  EXPECT_EQ(Merged("launch 3\n"), "turns 3\n");
}

TEST(MergeLaunches, IteratorsHaveTheWidestType) {
  DeviceProgram program = ReadDeviceProgram(kFiveKernels).value();
  MergeLaunches(
      LaunchOf("all", 4), [](int) { return true; }, &program);
  EXPECT_EQ(program.host_index_type, "long");
  program.kernels[3].index_type = "int";
  MergeLaunches(
      LaunchOf("all", 4), [](int) { return true; }, &program);
  EXPECT_EQ(program.host_index_type, "int");
}

// Kernel 3 stays alone; what stands next to each other is one launch, and knows the loops around it.
TEST(MergeLaunches, SomeKernels) {
  DeviceProgram program = ReadDeviceProgram(kFiveKernels).value();
  program.host = ReadBlock(R"(for t = 0; t < 9; t += 1
  for k = t; k < 9; k += 1
    launch 0, host [t][k]
    launch 2, host [t][k]
  launch 1, host [t]
  launch 3, host [t]
  if t
    launch 2, host [t]
)")
                     .value();
  MergeLaunches(
      LaunchOf("small", 1), [](int kernel) { return kernel != 3; }, &program);
  EXPECT_EQ(PrintBlockText(program.host), R"(for t = 0; t < 9; t += 1
  merged small, threads 128, within t
    for k = t; k < 9; k += 1
      turns 0, host [t][k], at once 4
      barrier block
      turns 2, host [t][k], at once 2
      barrier block
    turns 1, host [t], at once 4
  launch 3, host [t]
  merged small2, threads 128, within t
    if t
      turns 2, host [t], at once 2
      barrier block
)");
}

TEST(MergeLaunches, ABarrierStandsWhereOneWritesWhatTheOtherTouches) {
  // Written, then read; read, then written; written twice.
  EXPECT_EQ(Merged("launch 0\nlaunch 2\n"), "turns 0, at once 4\nbarrier grid\nturns 2, at once 2\n");
  EXPECT_EQ(Merged("launch 2\nlaunch 0\n"), "turns 2, at once 2\nbarrier grid\nturns 0, at once 4\n");
  EXPECT_EQ(Merged("launch 0\nlaunch 0\n"), "turns 0, at once 4\nbarrier grid\nturns 0, at once 4\n");
}

TEST(MergeLaunches, NoBarrierStandsBetweenOthers) {
  // Both read; other arrays; both take a scalar by value.
  EXPECT_EQ(Merged("launch 2\nlaunch 1\n"), "turns 2, at once 2\nturns 1, at once 4\n");
  EXPECT_EQ(Merged("launch 0\nlaunch 3\n"), "turns 0, at once 4\nturns 3\n");
}

TEST(MergeLaunches, ABarrierIsForAllBeforeIt) {
  EXPECT_EQ(Merged("launch 0\nlaunch 3\nlaunch 2\nlaunch 3\nlaunch 2\n"),
            "turns 0, at once 4\nturns 3\nbarrier grid\nturns 2, at once 2\nturns 3\nturns 2, at once 2\n");
}

TEST(MergeLaunches, OneBlockWaitsForItself) {
  EXPECT_EQ(Merged("launch 0\nlaunch 2\n", /*blocks=*/1),
            "turns 0, at once 4\nbarrier block\nturns 2, at once 2\n");
}

TEST(MergeLaunches, LoopsBeginAndEndWithNothingOpen) {
  EXPECT_EQ(Merged(R"(launch 0
for t = 0; t < 9; t += 1
  launch 3
  launch 0
launch 3
)"),
            R"(turns 0, at once 4
barrier grid
for t = 0; t < 9; t += 1
  turns 3
  turns 0, at once 4
  barrier grid
turns 3
)");
}

TEST(MergeLaunches, BranchesCloseWhatTheyOpen) {
  EXPECT_EQ(Merged(R"(launch 3
if n
  launch 0
else
  launch 2
launch 0
launch 3
)"),
            R"(turns 3
if n
  turns 0, at once 4
  barrier grid
else
  turns 2, at once 2
  barrier grid
turns 0, at once 4
barrier grid
turns 3
)");
}

// The host's loops over tiles become the launch's blocks: a block has nothing to wait for behind its tile.
TEST(MergeTiles, ABlockForEachTile) {
  DeviceProgram program = ReadDeviceProgram(kFiveKernels).value();
  program.host = ReadBlock(R"(for t = 0; t < 9; t += 1
  for a = 0; a <= 2; a += 1, parallel
    for b = 1; b < 6; b += 1, parallel
      launch 0, host [t][a][b]
      for k = 0; k < 4; k += 1
        launch 1, host [t][a][b]
)")
                     .value();
  ASSERT_TRUE(MergeTiles(LaunchOf("tiles", 1), &program).ok());
  EXPECT_EQ(PrintBlockText(program.host), R"(for t = 0; t < 9; t += 1
  merged tiles, threads 128, blocks 15, tiles, within t
    for a = 0; a <= 2; a += 1, parallel
      for b = 1; b < 6; b += 1, parallel
        turns 0, host [t][a][b], at once 4
        barrier block
        for k = 0; k < 4; k += 1
          turns 1, host [t][a][b], at once 4
          barrier block
)");
}

// What belongs to one tile runs in that tile's block, wherever isl has put it.
TEST(MergeTiles, WhatBelongsToATileIsInItsBlock) {
  const auto merged = [](const std::string& value) {
    DeviceProgram program = ReadDeviceProgram(kFiveKernels).value();
    program.host = ReadBlock(absl::StrCat(R"(for a = 0; a <= 2; a += 1, parallel
  launch 0, host [a][)",
                                          value, R"(]
  for b = 1; b < 6; b += 1, parallel
    launch 3, host [a][b]
  if a == 2
    launch 2, host [a][2]
)"))
                       .value();
    const absl::Status status = MergeTiles(LaunchOf("tiles", 1), &program);
    return status.ok() ? PrintBlockText(program.host) : std::string(absl::StatusCodeToString(status.code()));
  };
  EXPECT_EQ(merged("1"), R"(merged tiles, threads 128, blocks 15, tiles
  for a = 0; a <= 2; a += 1, parallel
    for b = 1; b < 6; b += 1, parallel
      if b == 1
        turns 0, host [a][b], at once 4
        barrier block
      turns 3, host [a][b]
      if b == 2
        if a == 2
          turns 2, host [a][b], at once 2
          barrier block
)");
  EXPECT_EQ(merged("6"), "INVALID_ARGUMENT");
  EXPECT_EQ(merged("a"), "INVALID_ARGUMENT");
}

TEST(MergeTiles, TheNumberOfTilesMustBeKnown) {
  DeviceProgram program = ReadDeviceProgram(kFiveKernels).value();
  program.host = ReadBlock("for a = 0; a < n; a += 1, parallel\n  launch 0, host [a]\n").value();
  EXPECT_EQ(MergeTiles(LaunchOf("tiles", 1), &program).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tune
