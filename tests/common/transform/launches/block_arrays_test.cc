#include "common/transform/launches/block_arrays.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// Kernel 0 fills a tile's part of T, where a condition lets isl write a number for the tile's; 1 reads it.
std::string Program(const std::string& subscripts) {
  return absl::StrCat(R"(device program
array 0 float A[64], written
array 1 float T[4][16], local, written
kernel f0 of k[S0], threads 32 1 1, host depth 2, function
  array 0
  array 1, writes
  body
    if h1 == 3
      run S0(A[h1], T[3][t])
kernel f1 of k[S1], threads 32 1 1, host depth 2, function
  array 0, writes
  array 1
  body
    run S1(T)",
                      subscripts, R"(, A[t])
host
  for c = 0; c < 9; c += 1
    merged tiles, threads 32, blocks 4, tiles, within c
      for a = 0; a < 4; a += 1, parallel
        turns 0, host [c][a]
        turns 1, host [c][a]
)");
}

DeviceProgram Kept(const std::string& subscripts, int64_t bytes = 1024) {
  HelperNames names;
  names.host = "h";
  DeviceFacts device;
  device.shared_bytes_per_block = bytes;
  DeviceProgram program = ReadDeviceProgram(Program(subscripts)).value();
  KeepInBlocks(names, device, &program);
  return program;
}

TEST(BlockArrays, PartsOfTilesAreKept) {
  const DeviceProgram program = Kept("[h1][t]");
  EXPECT_EQ(program.arrays[0].of_block, 0);  // outlives the region
  EXPECT_EQ(program.arrays[1].of_block, 1);
  EXPECT_EQ(DeviceBytes(program.arrays[1]), 0);
  EXPECT_EQ(PrintBlockText(program.kernels[0].body), "if h1 == 3\n  run S0(A[h1], T[h1][t])\n");
}

TEST(BlockArrays, NotWhatAnotherTileTouches) {
  EXPECT_EQ(Kept("[h1 + 1][t]").arrays[1].of_block, 0);
  EXPECT_EQ(Kept("[h0][t]").arrays[1].of_block, 0);
}

TEST(BlockArrays, NotMoreThanThereIsMemoryFor) { EXPECT_EQ(Kept("[h1][t]", 63).arrays[1].of_block, 0); }

}  // namespace
}  // namespace tune
