// Kernels that run a whole loop of the host in one cooperative launch.
#include <algorithm>

#include "tests/simt/test_device.h"

namespace tune::simt {
namespace {

// As generated texts define it; the simulator has its own.
constexpr char kBarrier[] = R"(#ifndef TUNE_GRID_BARRIER
__device__ unsigned tune_barrier_arrived, tune_barrier_round;
static __device__ void tune_grid_barrier() {
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    __threadfence();
    const unsigned round = *(volatile unsigned *)&tune_barrier_round;
    if (atomicAdd(&tune_barrier_arrived, 1) == gridDim.x * gridDim.y * gridDim.z - 1) {
      tune_barrier_arrived = 0;
      __threadfence();
      atomicAdd(&tune_barrier_round, 1);
    } else {
      while (*(volatile unsigned *)&tune_barrier_round == round) {}
    }
    __threadfence();
  }
  __syncthreads();
}
#define TUNE_GRID_BARRIER tune_grid_barrier
#endif
)";

// A time loop over two kernels, one of them with a shared tile, in one launch. MIDDLE and LAST are barriers.
constexpr char kStencil[] = R"(
static __device__ __forceinline__ void region_kernel0_body(float *A, const float *__restrict__ B, const int n,
                                                           const uint3 tune_block, const uint3 tune_thread) {
  __shared__ float B_shared0[4][8 + 2];
  const int i0 = 4 * tune_block.y, j0 = 8 * tune_block.x;
  const int i = i0 + tune_thread.y, j = j0 + tune_thread.x;
  for (int c = tune_thread.x; c < 10; c += 8)
    if (j0 + c - 1 >= 0 && j0 + c - 1 < n && i < n) B_shared0[tune_thread.y][c] = B[i * n + j0 + c - 1];
  __syncthreads();
  if (i < n && j >= 1 && j < n - 1)
    A[i * n + j] = (B_shared0[tune_thread.y][tune_thread.x] + B_shared0[tune_thread.y][tune_thread.x + 2]) / 2;
  __syncthreads();
}
static __device__ __forceinline__ void region_kernel1_body(const float *__restrict__ A, float *B, const int n,
                                                           const int t, const uint3 tune_block,
                                                           const uint3 tune_thread) {
  const int i = 4 * tune_block.y + tune_thread.y, j = 8 * tune_block.x + tune_thread.x;
  if (i >= 1 && i < n - 1 && j < n) B[i * n + j] = A[(i - 1) * n + j] + A[(i + 1) * n + j] + t;
}
KERNEL __launch_bounds__(32) region_all(float *A, float *B, int n, int steps) {
  const unsigned width = (n + 7) / 8, height = (n + 3) / 4;
  for (int t = 0; t < steps; ++t) {
    for (unsigned b = blockIdx.x; b < width * height; b += gridDim.x)
      region_kernel0_body(A, B, n, make_uint3(b % width, b / width, 0), make_uint3(threadIdx.x % 8, threadIdx.x / 8, 0));
    MIDDLE
    for (unsigned b = blockIdx.x; b < width * height; b += gridDim.x)
      region_kernel1_body(A, B, n, t, make_uint3(b % width, b / width, 0), make_uint3(threadIdx.x % 8, threadIdx.x / 8, 0));
    LAST
  }
})";

std::string Stencil(const std::string& middle, const std::string& last) {
  return kBarrier + absl::StrReplaceAll(kStencil, {{"MIDDLE", middle}, {"LAST", last}});
}

void RunStencil(std::vector<float>& a, std::vector<float>& b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i)
      for (int j = 1; j < n - 1; ++j) a[i * n + j] = (b[i * n + j - 1] + b[i * n + j + 1]) / 2;
    for (int i = 1; i < n - 1; ++i)
      for (int j = 0; j < n; ++j)
        b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + static_cast<float>(t);
  }
}

TEST(Persistent, ManySteps) {
  TestDevice device(Stencil("TUNE_GRID_BARRIER();", "TUNE_GRID_BARRIER();"), Cooperative("region_all"));
  for (int n : {3, 21, 32}) {
    float* a = device.Array<float>("A", n * n);
    float* b = device.Array<float>("B", n * n);
    std::vector<float> expected_a(a, a + n * n), expected_b(b, b + n * n);
    for (unsigned blocks : {1u, 2u, 5u, 40u}) {
      ASSERT_EQ(device.Run({blocks}, {32}, a, b, n, 12), absl::OkStatus());
      RunStencil(expected_a, expected_b, n, 12);
      ASSERT_EQ(std::vector<float>(a, a + n * n), expected_a) << n << " " << blocks;
      ASSERT_EQ(std::vector<float>(b, b + n * n), expected_b) << n << " " << blocks;
    }
  }
  EXPECT_EQ(device.simulator().counts().launches, 12);
  EXPECT_EQ(device.simulator().counts().blocks, 3 * 48);
}

TEST(Persistent, MissingBarriers) {
  const int n = 21;
  for (bool middle : {false, true}) {
    const auto text = [&](const char* instead) {
      return Stencil(middle ? instead : "TUNE_GRID_BARRIER();", middle ? "TUNE_GRID_BARRIER();" : instead);
    };
    TestDevice none(text(""), Cooperative("region_all"));
    float* a = none.Array<float>("A", n * n);
    float* b = none.Array<float>("B", n * n);
    none.ExpectFault(" races with a ", {5}, {32}, a, b, n, 2);
    if (!middle) none.ExpectGood({5}, {32}, a, b, n, 1);  // nothing comes after the missing one
    // A barrier of the block's own threads does not order blocks.
    TestDevice blocks(text("__syncthreads();"), Cooperative("region_all"));
    a = blocks.Array<float>("A", n * n);
    b = blocks.Array<float>("B", n * n);
    for (unsigned count : {2u, 5u})
      blocks.ExpectFault("in the same launch: no grid barrier orders them", {count}, {32}, a, b, n, 2);
    blocks.ExpectGood({1}, {32}, a, b, n, 2);
  }
}

TEST(Persistent, ShortestPaths) {
  const std::string text = R"(KERNEL f(int* d, int n) {
    for (int k = 0; k < n; ++k) {
      for (int i = blockIdx.x; i < n; i += gridDim.x)
        for (int j = threadIdx.x; j < n; j += blockDim.x)
          if (i != k && j != k) d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
      BARRIER
    }
  })";
  const int n = 30;
  TestDevice device(absl::StrReplaceAll(text, {{"BARRIER", "TUNE_GRID_BARRIER();"}}), Cooperative());
  int* d = device.Array<int>("d", n * n);
  for (int i = 0; i < n * n; ++i) d[i] = 1 + i * 7919 % 97;
  std::vector<int> expected(d, d + n * n);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        expected[i * n + j] = std::min(expected[i * n + j], expected[i * n + k] + expected[k * n + j]);
  }
  ASSERT_EQ(device.Run({7}, {16}, d, n), absl::OkStatus());
  EXPECT_EQ(std::vector<int>(d, d + n * n), expected);
  TestDevice bad(absl::StrReplaceAll(text, {{"BARRIER", "__syncthreads();"}}), Cooperative());
  bad.ExpectFault("no grid barrier orders them", {7}, {16}, bad.Array<int>("d", n * n), n);
}

TEST(Persistent, ManyThreads) {
#if defined(__SANITIZE_THREAD__)
  const unsigned blocks = 4, threads = 256;  // ThreadSanitizer has no more than 8128 fibers
#else
  const unsigned blocks = 16, threads = 1024;
#endif
  TestDevice device(R"(KERNEL f(int* a, int steps) {
    __shared__ int s[1024];
    int mine[2] = {(int)threadIdx.x, 0};
    const int count = gridDim.x * blockDim.x, at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < steps; ++t) {
      mine[t % 2] = a[(at + 1) % count];
      s[threadIdx.x] = mine[t % 2];
      TUNE_GRID_BARRIER();
      a[at] = s[(threadIdx.x + 1) % blockDim.x] + mine[t % 2];
      TUNE_GRID_BARRIER();
    }
  })",
                    Cooperative());
  const int count = static_cast<int>(blocks * threads);
  int* a = device.Array<int>("a", count);
  std::vector<int> expected(a, a + count);
  for (int t = 0; t < 3; ++t) {
    std::vector<int> next(count);
    for (int i = 0; i < count; ++i) {
      const int block = i / static_cast<int>(threads) * static_cast<int>(threads);
      const int neighbour = block + (i - block + 1) % static_cast<int>(threads);
      next[i] = expected[(neighbour + 1) % count] + expected[(i + 1) % count];
    }
    expected = next;
  }
  ASSERT_EQ(device.Run({blocks}, {threads}, a, 3), absl::OkStatus());
  EXPECT_EQ(std::vector<int>(a, a + count), expected);
}

TEST(Persistent, ReductionsByShuffles) {
  TestDevice device(R"(
  static __device__ __forceinline__ double sum(double value) {
    __shared__ double partial[32];
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
      value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
      for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);
    }
    __syncthreads();
    return value;
  }
  KERNEL norms(double* a, double* r, int n, int steps) {
    for (int t = 0; t < steps; ++t) {
      double value = 0;
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += a[i];
      value = sum(value);
      if (threadIdx.x == 0) atomicAdd(r + t, value);
      TUNE_GRID_BARRIER();
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += r[t] / n;
    }
  }
  KERNEL one(double* a, double* r) {
    const double value = sum(a[threadIdx.x]);
    if (threadIdx.x == 0) r[blockIdx.x] = value;
  })",
                    {{"norms", 0, true}, {"one"}});
  const int n = 512;
  double* a = device.Array<double>("a", n);
  double* r = device.Array<double>("r", 8);
  std::fill_n(r, 8, 0.0);
  ASSERT_EQ(device.Run({5}, {96}, a, r, n, 4), absl::OkStatus());
  double sum = n * (n - 1) / 2;
  for (int t = 0; t < 4; ++t, sum *= 2) EXPECT_EQ(r[t], sum);
  ASSERT_EQ(device.RunKernel(1, {1}, {64}, a, r), absl::OkStatus());
}

}  // namespace
}  // namespace tune::simt
