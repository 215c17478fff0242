// Launches whose blocks wait for each other, and find what they left when they go on.
#include <algorithm>
#include <set>

#include "tests/simt/launch_sequence.h"
#include "tests/simt/test_device.h"
#include "worker/print/launch_sequence.h"

namespace tune::simt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(GridBarrier, OneBlock) {
  const char* text = R"(KERNEL f(int* a) {
    a[threadIdx.x] = threadIdx.x;
    TUNE_GRID_BARRIER();
    int v = a[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    a[threadIdx.x] = v;
  })";
  for (bool cooperative : {false, true}) {
    TestDevice device(text, {{"f", 0, cooperative}});
    int* a = device.Array<int>("a", 100);
    device.ExpectGood({1}, {100}, a);
    EXPECT_EQ(a[99], 0);
    EXPECT_EQ(a[3], 4);
  }
}

TEST(GridBarrier, OneBlockDiverges) {
  for (bool cooperative : {false, true}) {
    TestDevice device(
        "KERNEL f(int n) { if ((int)threadIdx.x < n) TUNE_GRID_BARRIER(); else __syncthreads(); }",
        {{"f", 0, cooperative}});
    device.ExpectGood({1}, {40}, 40);
    device.ExpectFault(
        "the threads diverge: thread (0,0,0) waits at the grid barrier in line 1, but thread "
        "(7,0,0) waits at __syncthreads in line 1",
        {1}, {40}, 7);
  }
}

TEST(GridBarrier, NeedsACooperativeLaunch) {
  TestDevice device("KERNEL f(int b) {\n  if ((int)blockIdx.x < b) TUNE_GRID_BARRIER();\n}");
  device.ExpectGood({2}, {32}, 0);
  device.ExpectFault(
      "line 2 `if ((int)blockIdx.x < b) TUNE_GRID_BARRIER();`: a grid barrier in a launch of several blocks "
      "that "
      "is not cooperative",
      {2}, {32}, 2);
}

TEST(GridBarrier, DivergesBetweenBlocks) {
  TestDevice device(R"(KERNEL f(int mode) {
    if (mode == 1 && blockIdx.y == 2) return;
    if (mode == 2 && blockIdx.y == 1)
      TUNE_GRID_BARRIER();
    else
      TUNE_GRID_BARRIER();
    if (mode == 3 && blockIdx.y == 0) TUNE_GRID_BARRIER();
    if (mode == 4) TUNE_GRID_BARRIER();
  })",
                    Cooperative());
  device.ExpectGood({1, 3}, {8}, 0);
  device.ExpectGood({1, 3}, {8}, 4);
  device.ExpectFault(
      "kernel f, block (0,0,0), thread (0,0,0), line 6 `TUNE_GRID_BARRIER();`: divergent grid barrier: the "
      "block "
      "waits at it, but block (0,2,0) has ended",
      {1, 3}, {8}, 1);
  device.ExpectFault(
      "divergent grid barrier: the block waits at it, but block (0,1,0) waits at the one in line 4", {1, 3},
      {8}, 2);
  device.ExpectFault(
      "line 7 `if (mode == 3 && blockIdx.y == 0) TUNE_GRID_BARRIER();`: divergent grid barrier: the "
      "block waits at it, but block (0,1,0) has ended",
      {1, 3}, {8}, 3);
}

TEST(GridBarrier, DivergesInABlock) {
  TestDevice device(R"(KERNEL f(int mode) {
    int t = threadIdx.x + 40 * blockIdx.x;
    if (mode == 1 && t == 79) return;
    if (mode == 2 && t == 50) __syncthreads();
    if (mode == 3 && t < 20) TUNE_GRID_BARRIER();
    if (mode == 4 && t % 40 < 32) __shfl_xor_sync(t == 41 ? 0x2 : 0xffffffff, t, 1);
    TUNE_GRID_BARRIER();
  })",
                    Cooperative());
  device.ExpectGood({2}, {40}, 0);
  device.ExpectFault(
      "block (1,0,0), thread (0,0,0), line 7 `TUNE_GRID_BARRIER();`: the threads diverge: thread "
      "(0,0,0) waits at the grid barrier in line 7, but thread (39,0,0) has ended",
      {2}, {40}, 1);
  device.ExpectFault("but thread (10,0,0) waits at __syncthreads in line 4", {2}, {40}, 2);
  device.ExpectFault(
      "waits at the grid barrier in line 5, but thread (20,0,0) waits at the grid barrier in line 7", {2},
      {40}, 3);
  device.ExpectFault("block (1,0,0)", {2}, {40}, 4);
}

TEST(GridBarrier, EndlessLoopsAreCut) {
  TestDevice device("KERNEL f(int endless) { do TUNE_GRID_BARRIER(); while (endless); }", Cooperative());
  device.simulator().set_step_limit(100000);
  device.ExpectGood({3}, {5}, 0);
  device.ExpectFault("does not end within its limit of steps", {3}, {5}, 1);
}

TEST(Resident, TooManyBlocks) {
  TestDevice device(R"(KERNEL f() { TUNE_GRID_BARRIER(); }
  KERNEL g() { __shared__ float s[10 * 1024]; s[0] = 0; })",
                    {{"f", 0, true}, {"g", 30 << 10, true}, {"f", 0, false}});
  const auto refused = [&](int kernel, Shape grid, Shape block, const std::string& most) {
    const absl::Status status = device.RunKernel(kernel, grid, block);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("too many blocks for a cooperative launch"), HasSubstr(most)));
  };
  refused(0, {265}, {1024}, "grid (265,1,1), block (1024,1,1)");
  refused(0, {265}, {1024}, "265 blocks of 1024 threads and 0 bytes of shared memory, at most 264 are");
  refused(0, {133, 3}, {640}, "at most 396");           // 1920 of 2048 threads
  refused(0, {132 * 32 + 1}, {16, 4}, "at most 4224");  // 2048 threads
  refused(0, {132 * 32 + 1}, {32}, "at most 4224");     // 32 blocks of a multiprocessor
  refused(0, {132 * 21 + 1}, {65}, "at most 2772");     // three warps each
  refused(1, {132 * 3 + 1}, {32}, "71680 bytes of shared memory, at most 396");
  refused(0, {65535, 65535}, {1}, "4294836225 blocks");
  EXPECT_EQ(device.RunKernel(0, {132 * 32}, {1}), absl::OkStatus());
  EXPECT_EQ(device.RunKernel(1, {132 * 3}, {1}), absl::OkStatus());
  EXPECT_EQ(device.RunKernel(2, {1}, {1024}), absl::OkStatus());
  EXPECT_EQ(device.RunKernel(2, {265}, {1024}).code(), absl::StatusCode::kFailedPrecondition);
}

// Each block finds its shared memory, static and dynamic, as it left it.
TEST(Resident, SharedMemoryIsTheBlocksOwn) {
  TestDevice device(R"(
  template <int n> static __device__ int* area() { __shared__ int words[n]; return words; }
  KERNEL f(int* a, int reader) {
    __shared__ int s[33];
    extern __shared__ double d[];
    __shared__ char c[3];
    const int t = threadIdx.x, b = blockIdx.x;
    s[t] = 100 * b + t;
    d[t] = b + 0.5;
    area<40>()[t] = b;
    if (b % 2 == 0 && t < 3) c[t] = b;
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
      TUNE_GRID_BARRIER();
      a[32 * b + t] += s[31 - t] + (int)(2 * d[31 - t]) + area<40>()[31 - t];
      __syncthreads();
      s[t] += 1;
      __syncthreads();
    }
    if (b == reader && t == 0) a[b * 32] += c[1];
  })",
                    Cooperative("f", 32 * 8));
  int* a = device.Array<int>("a", 9 * 32);
  std::fill_n(a, 9 * 32, 0);
  ASSERT_EQ(device.Run({9}, {32}, a, 4), absl::OkStatus());
  for (int b = 0; b < 9; ++b) {
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(a[32 * b + t], 3 * (100 * b + 31 - t + 2 * b + 1 + b) + 3 + (b == 4 && t == 0 ? 4 : 0));
  }
  device.ExpectGood({9}, {32}, a, 8);
  device.ExpectFault(
      "block (5,0,0), thread (0,0,0), line 20 `if (b == reader && t == 0) a[b * 32] += c[1];`: the "
      "read of 1 bytes at c+1 (c has 3 bytes) is a read of shared memory that this block has not "
      "written",
      {9}, {32}, a, 5);
  // A launch begins with undefined shared memory.
  EXPECT_EQ(device.Run({1}, {32}, a, 0), absl::OkStatus());
  EXPECT_FALSE(device.Run({2}, {32}, a, 1).ok());
}

TEST(Resident, RacesInSharedMemory) {
  TestDevice device(R"(KERNEL f(int* a, int b) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    TUNE_GRID_BARRIER();
    a[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];
    if (blockIdx.x == b) s[threadIdx.x] = 2;
    TUNE_GRID_BARRIER();
  })",
                    Cooperative());
  int* a = device.Array<int>("a", 4 * 64);
  device.ExpectGood({4}, {64}, a, -1);
  device.ExpectFault("of the same block: no barrier orders them", {4}, {64}, a, 2);
  device.ExpectFault("block (2,0,0)", {4}, {64}, a, 2);
}

TEST(Resident, RacesBetweenBlocks) {
  TestDevice device(R"(KERNEL f(int* a, int mode) {
    const int b = blockIdx.x;
    if (mode == 1) a[b / 2] = b;
    if (mode == 2 && b != 3) { int v = a[0]; a[b] = v; }
    if (mode == 3) { int v = a[b]; __syncthreads(); v += a[(b + 1) % 4]; __syncthreads(); a[b] = v; }
    if (mode == 4) { atomicAdd(a, 1); __syncthreads(); if (b == 1) a[1] = a[0]; }
    TUNE_GRID_BARRIER();
    if (mode == 5) { atomicAdd(a, 1); TUNE_GRID_BARRIER(); a[b + 1] = a[0]; TUNE_GRID_BARRIER(); a[(b + 1) % 4] = b; }
    if (mode == 6) { a[b] = a[b] + 1; __syncthreads(); a[b] += 1; TUNE_GRID_BARRIER(); a[(b + 1) % 4] += 1; }
  })",
                    Cooperative());
  int* a = device.Array<int>("a", 5);
  for (int mode : {0, 5, 6}) device.ExpectGood({4}, {1}, a, mode);
  for (int mode : {1, 2, 3, 4}) {
    device.ExpectFault("in the same launch: no grid barrier orders them", {4}, {1}, a, mode);
  }
}

TEST(Resident, ConstantReads) {
  TestDevice device(R"(
  static __device__ float get(const float* p) { return __ldg(p); }
  KERNEL f(float* a, float* b, int reader, int writer) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (writer == 0) a[i] = 1;
    TUNE_GRID_BARRIER();
    if (reader == 1) b[i] = get(a + i);
    TUNE_GRID_BARRIER();
    if (writer == 2) a[i] = 2;
    if (writer == 3) atomicAdd(a + i, 1);
    TUNE_GRID_BARRIER();
    b[i] = a[(i + 1) % (gridDim.x * blockDim.x)];
  })",
                    Cooperative());
  float* a = device.Array<float>("a", 4 * 32);
  float* b = device.Array<float>("b", 4 * 32);
  device.ExpectGood({4}, {32}, a, b, 1, -1);
  for (int writer : {0, 2, 3}) device.ExpectGood({4}, {32}, a, b, 0, writer);
  device.ExpectFault("is a read through the cache for constant data of memory that this launch has changed",
                     {4}, {32}, a, b, 1, 0);
  for (int writer : {2, 3}) {
    device.ExpectFault("changes memory that this launch has read through the cache for constant data", {4},
                       {32}, a, b, 1, writer);
  }
}

TEST(Resident, ConstantParameters) {
  TestDevice device(R"(KERNEL f(const float* __restrict__ a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = a[i] + b[i];
    TUNE_GRID_BARRIER();
    c[i] = v;
  })",
                    Cooperative());
  float* a = device.Array<float>("a", 64);
  float* c = device.Array<float>("c", 64);
  device.ExpectGood({4}, {16}, a, a, c);
  device.ExpectGood({4}, {16}, a, c, c);
  device.ExpectFault("through the cache for constant data", {4}, {16}, a, a, a);
  device.ExpectGood({4}, {16}, c, c, a);  // not for ever
}

TEST(Resident, OrderIsRandomAndSeeded) {
  TestDevice device(R"(KERNEL f(int* next, int* order) {
    for (int step = 0; step < 4; ++step) {
      if (threadIdx.x == 0) order[16 * step + blockIdx.x] = atomicAdd(next, 1);
      if (step % 2 == 0) __syncthreads(); else TUNE_GRID_BARRIER();
    }
  })",
                    Cooperative());
  int* next = device.Array<int>("next", 1);
  int* order = device.Array<int>("order", 64);
  const auto run = [&](uint64_t seed) {
    *next = 0;
    void* arguments[] = {&next, &order};
    EXPECT_EQ(device.simulator().Run({0, {16, 1, 1}, {33, 1, 1}, 0, arguments, true}, seed),
              absl::OkStatus());
    return std::vector<int>(order, order + 64);
  };
  std::set<std::vector<int>> orders;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<int> first = run(seed);
    EXPECT_EQ(run(seed), first);
    orders.insert(first);
    const auto minmax = [&](int begin) { return std::minmax_element(&first[begin], &first[begin] + 16); };
    // Between grid barriers blocks overtake each other at their own barriers.
    EXPECT_LT(*minmax(16).first, *minmax(0).second);
    EXPECT_LT(*minmax(16).second, *minmax(32).first);
    EXPECT_LT(*minmax(48).first, *minmax(32).second);
  }
  EXPECT_EQ(orders.size(), 10);
}

TEST(Resident, GoesOnAfterAFault) {
  TestDevice device(R"(KERNEL f(int* a, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = a[64 * blockIdx.x + threadIdx.x + n];
    TUNE_GRID_BARRIER();
    a[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];
  }
  KERNEL g(int* a) { __shared__ int s[64]; s[threadIdx.x] = 1; __syncthreads(); a[threadIdx.x] += s[threadIdx.x]; })",
                    {{"f", 0, true}, {"g"}});
  int* a = device.Array<int>("a", 3 * 64);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(device.Run({3}, {64}, a, 1).ok());
    EXPECT_EQ(device.Run({3}, {64}, a, 0), absl::OkStatus());
    EXPECT_EQ(device.Run({1}, {64}, a, 0), absl::OkStatus());
    EXPECT_EQ(device.RunKernel(1, {1}, {64}, a), absl::OkStatus());
  }
}

TEST(CooperativeLaunchSequence, KernelsSayIt) {
  TestDevice device(R"(KERNEL f(int* a) {
    a[blockIdx.x] = blockIdx.x;
    TUNE_GRID_BARRIER();
    a[gridDim.x + blockIdx.x] = a[(blockIdx.x + 1) % gridDim.x];
  })",
                    Cooperative());
  int* a = device.Array<int>("a", 8);
  const std::string text = absl::StrCat(kLaunchSequenceDeclarations, kLaunchSequenceHead, R"(
  void *a = memory[0];
  void *arguments[] = {&a};
  struct tune_launch one = {0, {4, 1, 1}, {1, 1, 1}, arguments};
  launch(context, &one);
})");
  ASSERT_EQ(RunLaunchSequence(text, device.simulator(), {a}, {}, 3), absl::OkStatus());
  EXPECT_THAT(std::vector<int>(a + 4, a + 8), ::testing::ElementsAre(1, 2, 3, 0));
}

}  // namespace
}  // namespace tune::simt
