#include "worker/print/merged_kernel_printer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/simt/simulator.h"

namespace tune {
namespace {

constexpr int64_t kThreads = 8, kBlocks = 3;  // of the kernel
// What a block of it does.
constexpr char kCount[] = R"(
static __device__ void count(int *counts, const uint3 tune_block, const uint3 tune_thread) {
  atomicAdd(&counts[tune_thread.x + 8 * tune_block.x], 1);
}
)";

DeviceProgram CountingProgram() {
  DeviceProgram program;
  DeviceArray counts;
  counts.name = counts.scop_name = "counts";
  counts.type = v1::ELEMENT_TYPE_INT;
  counts.extents = {kThreads * kBlocks};
  counts.written = true;
  program.arrays = {counts};
  DeviceKernel kernel;
  kernel.function = "count";
  kernel.threads = {kThreads, 1, 1};
  kernel.arrays = {{.array = 0, .writes = true, .shared = true}};
  kernel.axes = {{.first_is_constant = true, .most_blocks = kBlocks}};
  kernel.is_function = true;
  program.kernels = {kernel};
  return program;
}

// A launch of one block with so many threads, which runs blocks of the kernel.
MergedLaunch LaunchOf(int64_t threads, int64_t blocks) {
  MergedLaunch merged;
  merged.function = "merged";
  merged.threads = threads;
  Launch launch;
  launch.first = {IndexExpression::Constant(0)};
  launch.count = {IndexExpression::Constant(blocks)};
  merged.body.push_back({BlockTurns{launch, threads / kThreads}});
  return merged;
}

// Of each thread of each block of the kernel: how often it ran.
std::vector<int> Counts(int64_t threads, int64_t blocks) {
  const std::string text =
      kCount + PrintMergedKernel(CountingProgram(), LaunchOf(threads, blocks), ChooseHelperNames(v1::Scop()));
  auto simulator = simt::Simulator::Compile(text, {{"merged"}});
  std::vector<int> counts(kThreads * kBlocks, 0);
  EXPECT_EQ(simulator.status(), absl::OkStatus()) << text;
  if (!simulator.ok()) return counts;
  EXPECT_TRUE((*simulator)->AddMemory("counts", counts.data(), counts.size() * sizeof(int)).ok());
  int* data = counts.data();
  void* arguments[] = {&data};
  const simt::Simulator::Launch launch = {0, {1, 1, 1}, {static_cast<unsigned>(threads), 1, 1},
                                          0, arguments, false};
  EXPECT_EQ((*simulator)->Run(launch, 1), absl::OkStatus()) << text;
  return counts;
}

// Of the launch there may be as many threads as of the kernel, several times as many, or some more.
TEST(MergedKernel, RunsEachThreadOfEachBlockOnce) {
  for (const int64_t threads : {8, 12, 16, 20}) {
    EXPECT_EQ(Counts(threads, kBlocks), std::vector<int>(kThreads * kBlocks, 1)) << threads << " threads";
    std::vector<int> first(kThreads * kBlocks, 0);
    std::fill_n(first.begin(), kThreads, 1);
    EXPECT_EQ(Counts(threads, 1), first) << threads << " threads";
  }
}

}  // namespace
}  // namespace tune
