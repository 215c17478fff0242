#include "tests/simt/simulator.h"

#include <cmath>
#include <set>

#include "tests/simt/preprocessed_text.h"
#include "tests/simt/test_device.h"

namespace tune::simt {
namespace {

using ::testing::HasSubstr;

TEST(Launch, Limits) {
  TestDevice device(R"(KERNEL f() { __shared__ float s[1024]; s[0] = 0; }
  KERNEL __launch_bounds__(128) g() {}
  KERNEL h() { extern __shared__ char s[]; }
  KERNEL big() { __shared__ double s[6145]; s[0] = 0; })",
                    {{"f"}, {"g"}, {"h"}, {"big"}});
  const auto run = [&](int kernel, Shape grid, Shape block, int64_t bytes = 0) {
    const Simulator::Launch launch = {
        kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, bytes, nullptr};
    return device.simulator().Run(launch, 1);
  };
  const auto refused = [&](const absl::Status& status, const std::string& why) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(why));
  };
  EXPECT_EQ(run(2, {3}, {32, 32, 1}), absl::OkStatus());
  EXPECT_EQ(run(2, {1}, {2, 8, 64}), absl::OkStatus());
  refused(run(2, {1}, {33, 32, 1}), "a block has 1056 threads, at most 1024");
  refused(run(2, {1}, {1025}), "the block's x is not in 1 .. 1024");
  refused(run(2, {1}, {1, 1, 65}), "the block's z is not in 1 .. 64");
  refused(run(2, {1}, {0}), "the block's x is not in");
  EXPECT_EQ(run(2, {1, 65535}, {1}), absl::OkStatus());
  refused(run(2, {1, 65536}, {1}), "the grid's y is not in 1 .. 65535");
  refused(run(2, {1, 1, 65536}, {1}), "the grid's z is not in 1 .. 65535");
  refused(run(2, {0x80000000u}, {1}), "the grid's x is not in 1 .. 2147483647");
  refused(run(2, {0}, {1}), "the grid's x");
  refused(run(2, {1, 0}, {1}), "the grid's y");
  refused(run(2, {1, 1, 0}, {1}), "the grid's z");
  EXPECT_EQ(run(1, {1}, {128}), absl::OkStatus());
  refused(run(1, {1}, {129}), "launch bounds allow 128");
  EXPECT_EQ(run(2, {1}, {1}, 227 << 10), absl::OkStatus());
  refused(run(2, {1}, {1}, (227 << 10) + 1), "at most 232448");
  EXPECT_EQ(run(0, {1}, {1}, 223 << 10), absl::OkStatus());
  refused(run(0, {1}, {1}, (223 << 10) + 1), "4096 bytes of static and 228353 of dynamic");
  refused(run(0, {1}, {1}, -1), "of dynamic");
  refused(run(3, {1}, {1}), "the static shared variables have 49160 bytes, at most 49152");
  refused(run(4, {1}, {1}), "there are 4 kernels");
}

TEST(Launch, EveryThreadOnce) {
  TestDevice device(R"(KERNEL f(int* count, int* sizes) {
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    count[block * blockDim.x * blockDim.y * blockDim.z + t] += 1;
    if (block == 0 && t == 0) { sizes[0] = gridDim.z; sizes[1] = blockDim.z; sizes[2] = warpSize; }
  })");
  const int count = 3 * 4 * 5 * 6 * 7 * 2;
  int* counts = device.Array<int>("counts", count);
  int* sizes = device.Array<int>("sizes", 3);
  ASSERT_EQ(device.Run({3, 4, 5}, {6, 7, 2}, counts, sizes), absl::OkStatus());
  for (int i = 0; i < count; ++i) ASSERT_EQ(counts[i], i + 1);
  EXPECT_THAT(std::vector<int>(sizes, sizes + 3), ::testing::ElementsAre(5, 2, 32));
  EXPECT_EQ(device.simulator().counts().blocks, 60);
}

TEST(Launch, OrderIsRandomAndSeeded) {
  TestDevice device(R"(KERNEL f(int* next, int* blocks, int* threads) {
    if (threadIdx.x == 0) blocks[blockIdx.x] = atomicAdd(next, 1);
    if (blockIdx.x == 0) threads[threadIdx.x] = atomicAdd(next + 1, 1);
  })");
  int* next = device.Array<int>("next", 2);
  int* blocks = device.Array<int>("blocks", 16);
  int* threads = device.Array<int>("threads", 16);
  const auto order = [&](uint64_t seed) {
    next[0] = next[1] = 0;
    void* arguments[] = {&next, &blocks, &threads};
    EXPECT_EQ(device.simulator().Run({0, {16, 1, 1}, {16, 1, 1}, 0, arguments}, seed), absl::OkStatus());
    std::vector<int> result(blocks, blocks + 16);
    result.insert(result.end(), threads, threads + 16);
    return result;
  };
  std::set<std::vector<int>> orders;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(order(seed), order(seed));
    orders.insert(order(seed));
  }
  EXPECT_EQ(orders.size(), 10);
}

TEST(Launch, ManySmallBlocks) {
  TestDevice device("KERNEL f(int* a) { if (blockIdx.x % 1000 == 999) atomicAdd(a, 1); }");
  int* a = device.Array<int>("a", 1);
  ASSERT_EQ(device.Run({1000, 100, 1}, {1}, a), absl::OkStatus());
  EXPECT_EQ(a[0], 100);
}

TEST(Text, CompileErrorsAreTold) {
  const auto simulator =
      Simulator::Compile("extern \"C\" __global__ void f(int* a) {\n  a[0] = undeclared;\n}\n", {{"f"}});
  EXPECT_EQ(simulator.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(simulator.status().message()), HasSubstr("kernels.cu:2:10"));
  EXPECT_FALSE(Simulator::Compile("extern \"C\" __global__ void f() {}", {{"g"}}).ok());
  EXPECT_FALSE(Simulator::Compile("", {}).ok());
  // As with nvcc.
  EXPECT_FALSE(
      Simulator::Compile("extern \"C\" __global__ void f(double* a) { atomicExch(a, 1.0); }", {{"f"}}).ok());
}

TEST(Text, DynamicSharedDeclarations) {
  EXPECT_EQ(ReplaceDynamicShared("a; extern __shared__ float s[]; b;"),
            "a; SIMT_DYNAMIC_SHARED(float, s); b;");
  EXPECT_EQ(ReplaceDynamicShared("extern __shared__ __align__(16) unsigned char s_1[ ];"),
            "SIMT_DYNAMIC_SHARED(unsigned char, s_1);");
  EXPECT_EQ(ReplaceDynamicShared("extern  __align__(16) volatile __shared__\n double s[];"),
            "SIMT_DYNAMIC_SHARED(volatile double, s);\n");
  const std::string others =
      "extern \"C\" __global__ void f() { __shared__ int s[3]; extern int x; extern int y[]; }";
  EXPECT_EQ(ReplaceDynamicShared(others), others);
}

TEST(Text, TemplatesAndVariables) {
  TestDevice device(R"(__constant__ float weights[2];
  namespace area {
  template <int width, typename T>
  __global__ void __launch_bounds__(width * 2) scale(T* a) {
    __shared__ T part[width];
    part[threadIdx.x] = a[threadIdx.x] * weights[1];
    __syncthreads();
    a[threadIdx.x] = part[width - 1 - threadIdx.x];
  }
  }
  KERNEL __launch_bounds__(8) other() {})",
                    {{"area::scale<8, float>"}, {"other"}});
  const CompiledText::Variable* const weights = device.simulator().FindVariable("weights");
  ASSERT_NE(weights, nullptr);
  EXPECT_EQ(weights->bytes, 2 * sizeof(float));
  EXPECT_EQ(device.simulator().FindVariable("other_weights"), nullptr);
  reinterpret_cast<float*>(weights->begin)[1] = 3;
  float* a = device.Array<float>("a", 8);
  ASSERT_EQ(device.Run({1}, {8}, a), absl::OkStatus());
  EXPECT_THAT(std::vector<float>(a, a + 8), ::testing::ElementsAre(21, 18, 15, 12, 9, 6, 3, 0));
  device.ExpectFault("a+32", {1}, {9}, a);
  EXPECT_THAT(std::string(device.RunKernel(1, {1}, {9}).message()), HasSubstr("launch bounds allow 8"));
}

TEST(Text, MacrosAndFilesInPlace) {
  const TemporaryFolder folder = *TemporaryFolder::Make();
  ASSERT_TRUE(MakeFolder(folder.path() + "/parts").ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/parts/item.h", "#define ITEM(i) a[i]\n").ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/f.cu",
                        "#include <cmath>\n#include \"item.h\"\n"
                        "__global__ void f(int* a) { ITEM(N) = 1; }\n")
                  .ok());
  const auto text = PreprocessText(folder.path() + "/f.cu",
                                   {"-DN=3", "-use_fast_math", absl::StrCat("-I", folder.path(), "/parts")});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("__global__ void f(int* a) { a[3] = 1; }"));
  EXPECT_FALSE(PreprocessText(folder.path() + "/f.cu", {}).ok());
}

TEST(Text, DynamicSharedInParts) {
  TestDevice device(R"(extern __shared__ char raw[];
  KERNEL f(float* a, double* b) {
    float* s = reinterpret_cast<float*>(raw);
    double* d = reinterpret_cast<double*>(raw + 64 * sizeof(float));
    s[threadIdx.x] = a[threadIdx.x];
    d[threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
    b[threadIdx.x] = d[63 - threadIdx.x];
  })",
                    {{"f", 64 * 12}});
  float* a = device.Array<float>("a", 64);
  double* b = device.Array<double>("b", 64);
  ASSERT_EQ(device.Run({1}, {64}, a, b), absl::OkStatus());
  EXPECT_EQ(a[0], 63);
  EXPECT_EQ(b[63], 0);
}

TEST(Text, Language) {
  TestDevice device(R"(#include <math.h>
  #include <float.h>
  #define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
  struct Pair { float a, b; };
  __constant__ float factors[2] = {2, 3};
  static __device__ __forceinline__ double square(double x) { return x * x; }
  template <class T> __device__ T twice(T x) { return x + x; }
  KERNEL __launch_bounds__(64, 2) f(double* __restrict__ out, const float* __restrict__ in, double alpha, long n,
                                    unsigned char c, Pair pair) {
    __align__(16) __shared__ float tile[4][4 + 1];
    float acc[2][2] = {{0, 0}, {0, 0}};
  #pragma unroll
    for (int i = 0; i < 2; ++i)
  #pragma unroll 2
      for (int j = 0; j < 2; ++j) acc[i][j] += in[2 * i + j] * factors[j];
    tile[0][0] = acc[1][1];
    float4 v = make_float4(1, 2, 3, 4);
    int4 w = make_int4(1, 2, 3, 4);
    double2 d = make_double2(v.x, w.w);
    out[0] = tile[0][0] + square(alpha) + twice(n) + c + pair.b;
    out[1] = d.x + d.y + min(3, 4) + max(2.5f, 1.0f) + min(1u, 7u) + max(1ll, 5ll);
    out[2] = sqrtf(4.0f) + sqrt(9.0) + fabs(-2.0f) + fmax(1.0, 2.0) + fminf(1.0f, 2.0f) + pow(2.0, 3) + abs(-3) + floor(2.5);
    out[3] = rsqrt(4.0) + rsqrtf(16.0f) + exp(0.0) + cos(0.0f) + fma(2.0, 3.0, 4.0) + sqrt(16);
    out[4] = floord(-7, 4) + FLT_MAX * 0 + (INFINITY > 1e30f);
    out[5] = __ldg(in + 3);
    volatile float x = 3;
    out[6] = x;
  })");
  double* out = device.Array<double>("out", 7);
  float* in = device.Array<float>("in", 4);
  struct Pair {
    float a, b;
  };
  ASSERT_EQ(device.Run({1}, {1}, out, static_cast<const float*>(in), 1.5, int64_t{21},
                       static_cast<unsigned char>(7), Pair{1, 0.25}),
            absl::OkStatus());
  EXPECT_EQ(out[0], 9 + 2.25 + 42 + 7 + 0.25);
  EXPECT_EQ(out[1], 1 + 4 + 3 + 2.5 + 1 + 5);
  EXPECT_EQ(out[2], 2 + 3 + 2 + 2 + 1 + 8 + 3 + 2);
  EXPECT_EQ(out[3], 0.5 + 0.25 + 1 + 1 + 10 + 4);
  EXPECT_EQ(out[4], -2 + 1);
  EXPECT_EQ(out[5], 3);
  EXPECT_EQ(out[6], 3);
}

TEST(Text, AtomicFunctions) {
  TestDevice device(R"(KERNEL f(int* i, unsigned* u, unsigned long long* l, float* s, double* d) {
    int t = threadIdx.x;
    atomicAdd(i, t); atomicMin(i + 1, -t); atomicMax(i + 2, t); atomicExch(i + 3, 9); atomicSub(i + 4, 1);
    atomicAdd(u, 2u); atomicMin(u + 1, 0u); atomicMax(u + 2, 100u); atomicOr(u + 3, 1u << t);
    atomicAdd(l, 1ull << 40); atomicMax(l + 1, 1ull << 50);
    atomicAdd(s, 0.5f); atomicExch(s + 1, 8.0f);
    atomicAdd(d, 0.25);
    // A maximum of doubles by compare and swap.
    unsigned long long* address = reinterpret_cast<unsigned long long*>(d + 2);
    unsigned long long old = 0, seen = atomicCAS(address, 0ull, 0ull);
    do {
      old = seen;
      if (__longlong_as_double(old) >= t) break;
      seen = atomicCAS(address, old, (unsigned long long)__double_as_longlong(t));
    } while (seen != old);
  })");
  int* i = device.Array<int>("i", 5);
  auto* u = device.Array<unsigned>("u", 4);
  auto* l = device.Array<unsigned long long>("l", 2);
  float* s = device.Array<float>("s", 2);
  double* d = device.Array<double>("d", 3);
  d[2] = 0;
  ASSERT_EQ(device.Run({1}, {32}, i, u, l, s, d), absl::OkStatus());
  EXPECT_THAT(std::vector<int>(i, i + 5), ::testing::ElementsAre(496, -31, 31, 9, 4 - 32));
  EXPECT_THAT(std::vector<unsigned>(u, u + 4), ::testing::ElementsAre(64, 0, 100, 0xffffffffu));
  EXPECT_EQ(l[0], 32ull << 40);
  EXPECT_EQ(l[1], 1ull << 50);
  EXPECT_EQ(s[0], 16);
  EXPECT_EQ(s[1], 8);
  EXPECT_EQ(d[0], 8);
  EXPECT_EQ(d[2], 31);
}

TEST(Text, SeveralAtOnce) {
  TestDevice one(
      "KERNEL f(int* a) { __shared__ int s[4]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; }");
  TestDevice two(
      "KERNEL f(int* a) { __shared__ int s[4]; s[threadIdx.x] = 2; a[threadIdx.x] = s[threadIdx.x]; }");
  int* a = one.Array<int>("a", 4);
  int* b = two.Array<int>("b", 4);
  one.ExpectGood({1}, {4}, a);
  two.ExpectGood({1}, {4}, b);
  EXPECT_EQ(a[3], 1);
  EXPECT_EQ(b[3], 2);
  one.ExpectFault("is out of bounds", {1}, {4}, b);
}

TEST(Text, TiledMatrixProduct) {
  const int n = 37;
  TestDevice device(
      R"(KERNEL f(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    __shared__ float a[8][9], b[8][9];
    int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += 8) {
      a[threadIdx.y][threadIdx.x] = i < n && k0 + threadIdx.x < n ? A[i * n + k0 + threadIdx.x] : 0;
      b[threadIdx.y][threadIdx.x] = j < n && k0 + threadIdx.y < n ? B[(k0 + threadIdx.y) * n + j] : 0;
      __syncthreads();
      #pragma unroll
      for (int k = 0; k < 8; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
      __syncthreads();
    }
    if (i < n && j < n) C[i * n + j] = sum;
  })");
  float* a = device.Array<float>("A", n * n);
  float* b = device.Array<float>("B", n * n);
  float* c = device.Array<float>("C", n * n, Simulator::Content::kUndefined);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5);
  }
  device.ExpectGood({5, 5}, {8, 8}, a, b, c, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      ASSERT_EQ(c[i * n + j], sum);
    }
  }
}

}  // namespace
}  // namespace tune::simt
