// Barriers that not all threads reach, and operations of warps.
#include "tests/simt/test_device.h"

namespace tune::simt {
namespace {

TEST(Divergence, ThreadsThatEnd) {
  TestDevice device(R"(KERNEL f(int n) {
    if ((int)threadIdx.x >= n) return;
    __syncthreads();
  })");
  device.ExpectGood({2}, {48}, 48);
  device.ExpectGood({2}, {48}, 0);
  device.ExpectFault(
      "line 3 `__syncthreads();`: the threads diverge: thread (0,0,0) waits at __syncthreads in line 3, but "
      "thread (47,0,0) has ended",
      {2}, {48}, 47);
}

TEST(Divergence, DifferentBarriers) {
  TestDevice device(R"(KERNEL f(int n) {
    if ((int)threadIdx.x < n)
      __syncthreads();
    else
      __syncthreads();
  })");
  device.ExpectGood({1}, {8}, 0);
  device.ExpectFault(
      "thread (0,0,0) waits at __syncthreads in line 3, but thread (4,0,0) waits at __syncthreads in line 5",
      {1}, {8}, 4);
}

TEST(Divergence, DifferentCounts) {
  TestDevice device(
      "KERNEL f(int d) { for (int i = 0; i < 3 + d * (int)threadIdx.y; ++i) __syncthreads(); }");
  device.ExpectGood({1}, {4, 2}, 0);
  device.ExpectFault("has ended", {1}, {4, 2}, 1);
}

TEST(Divergence, BarrierAgainstWarpOperation) {
  TestDevice device(R"(KERNEL f(int n) {
    if ((int)threadIdx.x < n) __syncthreads();
    else __syncwarp(0xffffffff);
  })");
  device.ExpectGood({1}, {32}, 32);
  device.ExpectGood({1}, {32}, 0);
  device.ExpectFault(
      "waits at __syncwarp in line 3 with mask 0xffffffff for lane 0, but thread (0,0,0) waits at "
      "__syncthreads",
      {1}, {32}, 16);
}

TEST(Endless, LoopsAreCut) {
  TestDevice device(R"(KERNEL f(volatile int* a, int mode) {
    if (mode == 1) for (unsigned i = 1; i != 0; i = i * 3 | 1) {}
    if (mode == 2) while (a[0] == 0) {}
    if (mode == 3) for (;;) __syncthreads();
    a[0] = 0;
  })");
  device.simulator().set_step_limit(100000);
  int* a = device.Array<int>("a", 1);
  device.ExpectGood({1}, {1}, a, 0);
  for (int mode : {1, 2, 3}) device.ExpectFault("does not end within its limit of steps", {1}, {2}, a, mode);
}

constexpr char kReduction[] = R"(KERNEL f(const T* a, T* b, int n) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int threads = blockDim.x * blockDim.y * blockDim.z;
  int lane = t % warpSize;
  int lanes = min(threads - (t - lane), 32);
  unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  T sum = a[t];
  for (int d = 16; d > 0; d /= 2) {
    T other = __shfl_xor_sync(mask, sum, lane + d < 32 && (lane ^ d) < lanes ? d : (lane ^ d) < lanes ? d : 0);
    if ((lane ^ d) < lanes && lane < (lane ^ d)) sum += other;
  }
  __shared__ T partial[32];
  if (lane == 0) partial[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < (threads + 31) / 32; ++i) sum += partial[i];
    b[0] = sum;
  }
})";

TEST(Shuffle, ReductionOfAllTypes) {
  for (const char* type : {"int", "unsigned", "float", "double", "long long", "unsigned long long"}) {
    TestDevice device(
        absl::StrReplaceAll(kReduction, {{"T*", absl::StrCat(type, "*")}, {"T ", absl::StrCat(type, " ")}}));
    for (Shape block : {Shape{32}, Shape{64, 2, 2}, Shape{1}, Shape{40}, Shape{7, 5, 3}}) {
      const int threads = static_cast<int>(block.x * block.y * block.z);
      const int expected = threads * (threads - 1) / 2;
      SCOPED_TRACE(absl::StrCat(type, " ", threads));
      const auto check = [&](auto zero) {
        using T = decltype(zero);
        T* a = device.Array<T>("a", threads);
        T* b = device.Array<T>("b", 1);
        device.ExpectGood({1}, block, a, b, threads);
        EXPECT_EQ(b[0], static_cast<T>(expected));
      };
      const std::string name = type;
      if (name == "int" || name == "unsigned") check(0);
      if (name == "float") check(0.0f);
      if (name == "double") check(0.0);
      if (name.find("long") != std::string::npos) check(int64_t{0});
    }
  }
}

// Lane arithmetic against the definition in the programming guide.
TEST(Shuffle, AllModes) {
  TestDevice device(R"(KERNEL f(int* out, int parameter, int width) {
    int t = threadIdx.x;
    out[t] = __shfl_sync(0xffffffff, t, parameter, width);
    out[32 + t] = __shfl_up_sync(0xffffffff, t, parameter, width);
    out[64 + t] = __shfl_down_sync(0xffffffff, t, parameter, width);
    out[96 + t] = __shfl_xor_sync(0xffffffff, t, parameter, width);
  })");
  int* out = device.Array<int>("out", 128);
  for (int width : {1, 2, 4, 8, 16, 32}) {
    for (int p : {0, 1, 3, 5, 8, 16, 31}) {
      ASSERT_EQ(device.Run({1}, {32}, out, p, width), absl::OkStatus());
      for (int t = 0; t < 32; ++t) {
        const int segment = t / width;
        EXPECT_EQ(out[t], segment * width + p % width);
        EXPECT_EQ(out[32 + t], (t - p) >= segment * width ? t - p : t);
        EXPECT_EQ(out[64 + t], (t + p) / width == segment ? t + p : t);
        EXPECT_EQ(out[96 + t], (t ^ p) / width <= segment ? (t ^ p) : t);
      }
    }
  }
}

TEST(Shuffle, LaneThatDoesNotArrive) {
  TestDevice device(R"(KERNEL f(float* a, unsigned mask) {
    int t = threadIdx.x;
    if (t < 16) a[t] = __shfl_xor_sync(mask, a[t], 1);
  })");
  float* a = device.Array<float>("a", 32);
  device.ExpectGood({1}, {32}, a, 0x0000ffffu);
  device.ExpectFault(
      "waits at __shfl_xor_sync in line 3 with mask 0xffffffff for lane 16, but thread (16,0,0) has ended",
      {1}, {32}, a, 0xffffffffu);
}

TEST(Shuffle, OtherMaskOrOperation) {
  TestDevice device(R"(KERNEL f(float* a, int mode) {
    int t = threadIdx.x;
    if (mode == 0) a[t] = __shfl_down_sync(t < 16 ? 0x0000ffff : 0xffff0000, a[t], 1, 16);
    if (mode == 1) a[t] = __shfl_down_sync(t < 16 ? 0xffffffff : 0xffff0000, a[t], 1, 16);
    if (mode == 2) a[t] = t < 16 ? __shfl_down_sync(0xffffffff, a[t], 1, 16) : __shfl_up_sync(0xffffffff, a[t], 1, 16);
    if (mode == 3) a[t] = __shfl_down_sync(0xffffffff, a[t], 1, t < 16 ? 32 : 16);
  })");
  float* a = device.Array<float>("a", 32);
  device.ExpectGood({1}, {32}, a, 0);
  for (int mode : {1, 2, 3}) device.ExpectFault("the threads diverge", {1}, {32}, a, mode);
}

TEST(Shuffle, CallerOutsideOfMask) {
  TestDevice device(
      "KERNEL f(int* a, unsigned mask) { a[threadIdx.x] = __shfl_sync(mask, a[threadIdx.x], 0); }");
  int* a = device.Array<int>("a", 32);
  device.ExpectGood({1}, {32}, a, 0xffffffffu);
  device.ExpectFault("with mask 0x7fffffff does not name the calling lane 31", {1}, {32}, a, 0x7fffffffu);
}

TEST(Shuffle, SourceOutsideOfMask) {
  TestDevice device(R"(KERNEL f(int* a, int source) {
    int t = threadIdx.x;
    if (t < 8) a[t] = __shfl_sync(0x000000ff, a[t], source);
  })");
  int* a = device.Array<int>("a", 32);
  device.ExpectGood({1}, {32}, a, 7);
  device.ExpectFault(
      "line 3 `if (t < 8) a[t] = __shfl_sync(0x000000ff, a[t], source);`: __shfl_sync in line 3 with mask "
      "0x000000ff reads from lane 8, which is not in the mask",
      {1}, {32}, a, 8);
}

TEST(Shuffle, PartialWarp) {
  TestDevice device(
      "KERNEL f(int* a, int source) { a[threadIdx.x] = __shfl_sync(0xffffffff, a[threadIdx.x], source); }");
  int* a = device.Array<int>("a", 40);
  device.ExpectGood({1}, {40}, a, 7);
  EXPECT_EQ(a[0], 7);
  EXPECT_EQ(a[39], 39);
  device.ExpectFault("reads from lane 8, which the block does not have", {1}, {40}, a, 8);
}

TEST(Shuffle, OddWidth) {
  TestDevice device("KERNEL f(int* a, int width) { a[threadIdx.x] = __shfl_sync(0xffffffff, 1, 0, width); }");
  int* a = device.Array<int>("a", 32);
  device.ExpectGood({1}, {32}, a, 16);
  device.ExpectFault("width 12 is not", {1}, {32}, a, 12);
}

TEST(Shuffle, SubgroupsApart) {
  // Halves of the warp go different ways and meet again.
  TestDevice device(R"(KERNEL f(int* a) {
    int t = threadIdx.x, v = a[t];
    if (t < 16) for (int i = 0; i < 3; ++i) v += __shfl_xor_sync(0x0000ffff, v, 1 << i);
    else v += __shfl_down_sync(0xffff0000, v, 1, 16);
    v += __shfl_xor_sync(0xffffffff, v, 16);
    a[t] = v;
  })");
  int* a = device.Array<int>("a", 32);
  device.ExpectGood({1}, {32}, a);
}

TEST(Vote, BallotAnyAll) {
  TestDevice device(R"(KERNEL f(unsigned* out, int n) {
    int t = threadIdx.x;
    unsigned mask = __activemask();
    unsigned ballot = __ballot_sync(mask, t < n);
    int any = __any_sync(mask, t < n), all = __all_sync(mask, t < n);
    if (t == 0) { out[0] = mask; out[1] = ballot; out[2] = any; out[3] = all; }
  })");
  auto* out = device.Array<unsigned>("out", 4);
  device.ExpectGood({1}, {20}, out, 5);
  EXPECT_THAT(std::vector<unsigned>(out, out + 4), ::testing::ElementsAre(0xfffff, 0x1f, 1, 0));
  device.ExpectGood({1}, {20}, out, 20);
  EXPECT_THAT(std::vector<unsigned>(out, out + 4), ::testing::ElementsAre(0xfffff, 0xfffff, 1, 1));
  device.ExpectGood({1}, {20}, out, 0);
  EXPECT_THAT(std::vector<unsigned>(out, out + 4), ::testing::ElementsAre(0xfffff, 0, 0, 0));
}

TEST(Syncwarp, Masks) {
  TestDevice device(R"(KERNEL f(unsigned mask, int n) {
    if ((int)threadIdx.x < n) __syncwarp(mask);
  })");
  device.ExpectGood({1}, {64}, 0x000000ffu, 8);
  device.ExpectGood({1}, {20}, 0xffffffffu, 20);  // lanes that the block does not have need not come
  device.ExpectFault("waits at __syncwarp in line 2 with mask 0x000000ff for lane 7", {1}, {64}, 0x000000ffu,
                     7);
  device.ExpectFault("does not name the calling lane 8", {1}, {64}, 0x000000ffu, 9);
}

}  // namespace
}  // namespace tune::simt
