// Accesses that no barrier orders.
#include "tests/simt/test_device.h"

namespace tune::simt {
namespace {

TEST(ThreadRace, MissingBarrierAfterWrite) {
  const std::string text = R"(KERNEL f(float* a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    BARRIER
    a[threadIdx.x] = s[63 - threadIdx.x];
  })";
  TestDevice good(absl::StrReplaceAll(text, {{"BARRIER", "__syncthreads();"}}));
  good.ExpectGood({3 - 2}, {64}, good.Array<float>("a", 64));
  // A thread reads either too early, what nobody has written, or what another has.
  TestDevice bad(absl::StrReplaceAll(text, {{"BARRIER", ""}}));
  bad.ExpectFault("at s+", {1}, {64}, bad.Array<float>("a", 64));
}

TEST(ThreadRace, MissingBarrierBeforeNextWrite) {
  const std::string text = R"(KERNEL f(const float* a, float* b) {
    __shared__ float s[64];
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
      s[threadIdx.x] = a[64 * i + threadIdx.x];
      __syncthreads();
      sum += s[63 - threadIdx.x];
      BARRIER
    }
    b[threadIdx.x] = sum;
  })";
  TestDevice good(absl::StrReplaceAll(text, {{"BARRIER", "__syncthreads();"}}));
  float* b = good.Array<float>("b", 64);
  good.ExpectGood({1}, {64}, good.Array<float>("a", 192), b);
  EXPECT_EQ(b[0], 63 + 127 + 191);
  TestDevice bad(absl::StrReplaceAll(text, {{"BARRIER", ""}}));
  float* c = bad.Array<float>("b", 64);
  bad.ExpectFault("of the same block: no barrier orders them", {1}, {64}, bad.Array<float>("a", 192), c);
}

TEST(ThreadRace, SameValueIsARace) {
  TestDevice device("KERNEL f(int* a, int n) { if ((int)threadIdx.x < n) a[0] = 7; }");
  int* a = device.Array<int>("a", 1);
  device.ExpectGood({1}, {64}, a, 1);
  device.ExpectFault("the write of 4 bytes at a+0 (a has 4 bytes) races with a write of thread (", {1}, {64},
                     a, 2);
}

TEST(ThreadRace, GlobalReadThenWrite) {
  TestDevice device("KERNEL f(float* a, int d) { float v = a[threadIdx.x + d]; a[threadIdx.x] = v + 1; }");
  float* a = device.Array<float>("a", 65);
  device.ExpectGood({1}, {64}, a, 0);
  device.ExpectFault("races with a ", {1}, {64}, a, 1);
}

TEST(ThreadRace, OneReaderAmongMany) {
  // All read a[0]; one of them writes it in the same interval.
  TestDevice device(R"(KERNEL f(float* a, int writer) {
    float v = a[0];
    if (threadIdx.x == writer) a[0] = v + 1;
  })");
  float* a = device.Array<float>("a", 1);
  device.ExpectGood({1}, {1}, a, 0);
  device.ExpectGood({1}, {96}, a, -1);
  for (int writer : {0, 31, 32, 95}) device.ExpectFault("races with a ", {1}, {96}, a, writer);
}

TEST(ThreadRace, GlobalAcrossBarrier) {
  TestDevice device(R"(KERNEL f(float* a, float* b) {
    b[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = b[blockDim.x - 1 - threadIdx.x];
  })");
  float* a = device.Array<float>("a", 100);
  device.ExpectGood({1}, {100}, a, device.Array<float>("b", 100));
}

TEST(ThreadRace, BytesBesideEachOther) {
  TestDevice device("KERNEL f(char* a, int s) { a[threadIdx.x * s] = 1; }");
  char* a = device.Array<char>("a", 256);
  device.ExpectGood({1}, {256}, a, 1);
  device.ExpectFault("races with a write", {1}, {256}, a, 0);
}

TEST(ThreadRace, WideAgainstNarrow) {
  TestDevice device(R"(KERNEL f(float* a, int i) {
    if (threadIdx.x == 0) *reinterpret_cast<float4*>(a) = make_float4(1, 2, 3, 4);
    else a[i] = 5;
  })");
  float* a = device.Array<float>("a", 8);
  device.ExpectGood({1}, {2}, a, 4);
  for (int i = 0; i < 4; ++i) device.ExpectFault("races with a write", {1}, {2}, a, i);
}

TEST(ThreadRace, Atomics) {
  TestDevice device(R"(KERNEL f(int* a, int mode) {
    atomicAdd(a, 1);
    if (mode == 1 && threadIdx.x == 3) a[1] = a[0];
    if (mode == 2 && threadIdx.x == 3) a[0] = 0;
    if (mode == 3) { __syncthreads(); if (threadIdx.x == 3) a[1] = a[0]; }
  })");
  int* a = device.Array<int>("a", 2);
  device.ExpectGood({1}, {64}, a, 0);
  device.ExpectGood({1}, {64}, a, 3);
  device.ExpectFault("races with a", {1}, {64}, a, 1);
  device.ExpectFault("races with a", {1}, {64}, a, 2);
}

TEST(WarpRace, NeedsSyncwarp) {
  const std::string text = R"(KERNEL f(float* a) {
    volatile __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
      for (int d = 32; d > 0; d /= 2) {
        float v = s[t] + (t + d < 64 ? s[t + d] : 0.0f);
        BARRIER
        s[t] = v;
        BARRIER
      }
      if (t == 0) a[0] = s[0];
    }
  })";
  TestDevice good(absl::StrReplaceAll(text, {{"BARRIER", "__syncwarp();"}}));
  float* a = good.Array<float>("a", 64);
  EXPECT_EQ(good.Run({1}, {64}, a), absl::OkStatus());
  EXPECT_EQ(a[0], 63 * 64 / 2);
  good.ExpectGood({1}, {64}, a);
  TestDevice bad(absl::StrReplaceAll(text, {{"BARRIER", ""}}));
  bad.ExpectFault("races with a ", {1}, {64}, bad.Array<float>("a", 64));
}

TEST(WarpRace, SyncwarpOrdersOnlyItsLanes) {
  TestDevice device(R"(KERNEL f(int* a, int reader, unsigned mask) {
    int t = threadIdx.x;
    if (t == 0) a[0] = 1;
    if (t < 32 && (mask >> t & 1)) __syncwarp(mask);
    if (t == reader) a[1] = a[0];
  })");
  int* a = device.Array<int>("a", 2);
  device.ExpectGood({1}, {64}, a, 5, 0x0000ffffu);
  device.ExpectFault("races with a", {1}, {64}, a, 20, 0x0000ffffu);
  device.ExpectFault("races with a", {1}, {64}, a, 40, 0xffffffffu);
}

TEST(WarpRace, ShufflesDoNotOrderMemory) {
  TestDevice device(R"(KERNEL f(int* a, int* b) {
    a[threadIdx.x] = 1;
    int v = __shfl_down_sync(0xffffffff, 3, 1);
    b[threadIdx.x] = v + a[(threadIdx.x + 1) % 32];
  })");
  int* a = device.Array<int>("a", 32);
  device.ExpectFault("races with a", {1}, {32}, a, device.Array<int>("b", 32));
}

TEST(BlockRace, WriteAndWrite) {
  TestDevice device("KERNEL f(float* a, int s) { a[blockIdx.x * s + threadIdx.x] = 1; }");
  float* a = device.Array<float>("a", 128);
  device.ExpectGood({8}, {16}, a, 16);
  device.ExpectFault("in the same launch", {8}, {16}, a, 15);
}

TEST(BlockRace, WriteAndRead) {
  TestDevice device(R"(KERNEL f(float* a, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i + d];
    __syncthreads();
    a[i] = v;
  })");
  float* a = device.Array<float>("a", 129);
  device.ExpectGood({8}, {16}, a, 0);
  device.ExpectGood({1}, {128}, a, 1);
  device.ExpectFault(" of block (", {8}, {16}, a, 1);
}

TEST(BlockRace, ManyReadersOneWriter) {
  TestDevice device("KERNEL f(float* a, int w) { float v = a[0]; if (blockIdx.y == w) a[0] = v + 1; }");
  float* a = device.Array<float>("a", 1);
  device.ExpectGood({1, 9}, {1}, a, -1);
  for (int writer : {0, 4, 8}) device.ExpectFault("of block (0,", {1, 9}, {1}, a, writer);
}

TEST(BlockRace, Atomics) {
  TestDevice device(R"(KERNEL f(double* a, int mode) {
    if (mode == 1 && blockIdx.x == 2) a[0] = 0;
    else if (mode == 2 && blockIdx.x == 2) a[1] = a[0];
    else atomicAdd(a, 1.0);
  })");
  double* a = device.Array<double>("a", 2);
  EXPECT_EQ(device.Run({6}, {33}, a, 0), absl::OkStatus());
  EXPECT_EQ(a[0], 6 * 33);
  device.ExpectFault("in the same launch", {6}, {1}, a, 1);
  device.ExpectFault("in the same launch", {6}, {1}, a, 2);
}

TEST(BlockRace, LaunchesAreOrdered) {
  TestDevice device("KERNEL f(float* a, int shift) { a[(blockIdx.x + shift) % 4] += 1; }");
  float* a = device.Array<float>("a", 4);
  for (int shift = 0; shift < 4; ++shift) device.ExpectGood({4}, {1}, a, shift);
  EXPECT_EQ(a[3], 3 + 20);
}

TEST(ConstantRead, OfWhatTheLaunchWrites) {
  TestDevice device(R"(KERNEL f(const float* a, float* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = __ldg(a + i) + tex1Dfetch<float>((cudaTextureObject_t)a, i);
  })");
  float* a = device.Array<float>("a", 64);
  float* b = device.Array<float>("b", 64);
  device.ExpectGood({2}, {32}, a, b);
  EXPECT_EQ(b[5], 10);
  device.ExpectFault("changes memory that this launch has read through the cache for constant data", {2},
                     {32}, a, a);
}

TEST(ConstantRead, ThroughAParameter) {
  TestDevice device(R"(KERNEL f(const float* __restrict__ a, float* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i] + 1;
  })");
  float* a = device.Array<float>("a", 64);
  device.ExpectGood({2}, {32}, a, device.Array<float>("b", 64));
  device.ExpectFault("changes memory that this launch has read through the cache for constant data", {2},
                     {32}, a, a);
  device.ExpectGood({1}, {32}, a, a + 32);
}

TEST(ConstantRead, AfterTheWriteOfAnotherBlock) {
  TestDevice device(R"(KERNEL f(float* a, float* b) {
    if (blockIdx.x == 3) a[0] = 1; else b[blockIdx.x] = __ldg(a);
  })");
  float* a = device.Array<float>("a", 1);
  float* b = device.Array<float>("b", 4);
  device.ExpectGood({3}, {1}, a, b);
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(std::string(device.Run({4}, {1}, a, b).message()),
                ::testing::AnyOf(::testing::HasSubstr("races with a write of block (3,0,0)"),
                                 ::testing::HasSubstr("has read through the cache for constant data")));
  }
}

TEST(ConstantRead, AfterTheWriteOfTheSameThread) {
  TestDevice device(
      "KERNEL f(float* a, int d) { a[threadIdx.x] = 2; a[threadIdx.x + 8] = __ldg(a + threadIdx.x + d); }");
  float* a = device.Array<float>("a", 32);
  device.ExpectGood({1}, {4}, a, 16);
  device.ExpectFault("through the cache for constant data", {1}, {1}, a, 0);
}

}  // namespace
}  // namespace tune::simt
