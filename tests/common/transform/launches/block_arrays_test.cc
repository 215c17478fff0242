#include "common/transform/launches/block_arrays.h"

#include <gtest/gtest.h>

#include <map>

#include "common/transform/launches/register_loops.h"
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

// Kernel 0 fills what a thread has of T; 1 runs `instance` in some iterations within a tile.
std::string ThreadProgram(const std::string& instance, const std::string& extents, const std::string& last,
                          const std::string& threads) {
  return absl::StrCat(R"(device program
array 0 float A[64], written
array 1 float T[4])",
                      extents, R"([32], local, written
kernel f0 of k[S0], threads 32 1 1, host depth 2, function
  array 0
  array 1, writes
  body
    for v = 0; v <= )",
                      last, R"(; v += 1
      run S0(A[h1], T[h1][v][t0])
kernel f1 of k[S1], threads )",
                      threads, R"( 1 1, host depth 2, function
  array 0, writes
  array 1, writes
  body
    )",
                      instance, R"(
host
  for c = 0; c < 9; c += 1
    merged tiles, threads 32, blocks 4, tiles, within c
      for a = 0; a < 4; a += 1, parallel
        turns 0, host [c][a]
        for s = 0; s < 20; s += 1
          turns 1, host [c][a]
)");
}

DeviceProgram KeptOfThreads(const std::string& instance, const std::string& extents = "[3]",
                            const std::string& last = "2", const std::string& threads = "32") {
  HelperNames names;
  names.host = "h";
  names.thread = "t";
  DeviceFacts device;
  device.shared_bytes_per_block = 48 << 10;
  DeviceProgram program = ReadDeviceProgram(ThreadProgram(instance, extents, last, threads)).value();
  KeepInBlocks(names, device, &program);
  return program;
}

constexpr char kMove[] = "run S1(T[h1][0][t0], T[h1][1][t0])";

TEST(BlockArrays, ElementsOfOneThreadAreInRegisters) {
  const DeviceArray array = KeptOfThreads(kMove).arrays[1];
  EXPECT_EQ(array.of_block, 1);
  EXPECT_EQ(array.of_thread, 1);
}

// isl writes what a condition says of a coordinate in place of it.
TEST(BlockArrays, CoordinatesMayHaveOtherNames) {
  const std::string move = "if t0 == h0 + 7 && h1 <= 2\n      run S1(T[h1][0][h0 + 7], T[h1][1][h0 + 7])";
  const DeviceProgram program = KeptOfThreads(move);
  EXPECT_EQ(program.arrays[1].of_thread, 1);
  EXPECT_EQ(PrintBlockText(program.kernels[1].body),
            "if t0 == h0 + 7 && h1 <= 2\n  run S1(T[h1][0][t0], T[h1][1][t0])\n");
  EXPECT_EQ(KeptOfThreads("run S1(T[h1][0][h0 + 7], T[h1][1][h0 + 7])").arrays[1].of_thread, 0);
}

TEST(BlockArrays, IteratorsMayHaveOtherNames) {
  const auto body = [](const std::string& condition, const std::string& subscript) {
    return absl::StrCat("for c = 1; c <= 2; c += 1\n      if ", condition, "\n        run S1(A[t0], T[h1][",
                        subscript, "][t0])");
  };
  const DeviceProgram program = KeptOfThreads(body("h0 == 2 * c + 8", "h0 / 2 - 4"));
  EXPECT_EQ(program.arrays[1].of_thread, 1);
  EXPECT_EQ(PrintBlockText(program.kernels[1].body),
            "for c = 1; c <= 2; c += 1\n  if h0 == 2 * c + 8\n    run S1(A[t0], T[h1][c][t0])\n");
  EXPECT_EQ(KeptOfThreads(body("h0 == 2 * c + 8", "h0 / 2 - 3")).arrays[1].of_thread, 0);
  EXPECT_EQ(KeptOfThreads(body("h0 <= 2 * c + 8", "h0 / 2 - 4")).arrays[1].of_thread, 0);
}

TEST(BlockArrays, OtherElementsAreInSharedMemory) {
  for (const DeviceProgram& program :
       {KeptOfThreads("run S1(A[t0], T[h1][0][t0 + 1])"),  // another thread's
        KeptOfThreads("run S1(A[t0], T[h1][h0][t0])"),     // of no loop of the kernel
        KeptOfThreads("run S1(A[t0], T[h1][t0][t0])"), KeptOfThreads("run S1(A[t0], T[h1][0][0])"),
        KeptOfThreads("run S1(A[t0], T[h1][0][t0]), atomic"),
        KeptOfThreads(kMove, "[3]", "h1"),       // nobody knows how many iterations
        KeptOfThreads(kMove, "[3]", "2", "16"),  // thread 0 of two blocks at once
        KeptOfThreads(kMove, "[97]", "96")}) {   // too many
    EXPECT_EQ(program.arrays[1].of_block, 1);
    EXPECT_EQ(program.arrays[1].of_thread, 0);
  }
}

// By those of the kernel, elements need no addresses; by three iterations each value is back in its register.
TEST(RegisterLoops, AreUnrolled) {
  DeviceProgram program = KeptOfThreads(kMove);
  UnrollRegisterLoops(&program);
  EXPECT_EQ(program.kernels[0].body[0].As<Loop>()->unroll, Loop::kWhole);
  std::map<std::string, int64_t> unrolled;
  ForEachNode(program.host, [&](const Node& node) {
    if (const auto* loop = node.As<Loop>()) unrolled[loop->iterator] = loop->unroll;
  });
  const std::map<std::string, int64_t> expected = {{"a", 0}, {"c", 0}, {"s", 3}};
  EXPECT_EQ(unrolled, expected);
}

TEST(RegisterLoops, WithoutMovesStay) {
  DeviceProgram program = KeptOfThreads("run S1(A[t0], T[h1][1][t0])");
  UnrollRegisterLoops(&program);
  ForEachNode(program.host, [&](const Node& node) {
    const auto* const loop = node.As<Loop>();
    if (loop == nullptr) return;
    EXPECT_EQ(loop->unroll, 0) << loop->iterator;
  });
}

}  // namespace
}  // namespace tune
