// What kernels may access, and what they may read.
#include <algorithm>
#include <cstdint>

#include "tests/simt/test_device.h"

namespace tune::simt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Bounds, GlobalReadBehindTheEnd) {
  TestDevice device(R"(KERNEL f(float* a, const float* __restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i + 1];
  })");
  float* a = device.Array<float>("a", 100);
  float* b = device.Array<float>("b", 101);
  device.ExpectGood({4}, {32}, a, b, 100);
  EXPECT_EQ(a[99], 100);
  float* c = device.Array<float>("c", 100);
  device.ExpectFault("the read of 4 bytes at c+400 (c has 400 bytes) is out of bounds", {4}, {32}, a, c, 100);
  device.ExpectFault(
      "kernel f, block (3,0,0), thread (3,0,0), line 3 `if (i < n) a[i] = b[i + 1];`: the read", {4}, {32}, a,
      c, 100);
}

TEST(Bounds, GlobalWriteBeforeTheBegin) {
  TestDevice device("KERNEL f(double* a, int first) { a[(int)threadIdx.x + first] = 1; }");
  double* a = device.Array<double>("a", 8);
  device.ExpectGood({1}, {8}, a, 0);
  device.ExpectFault("the write of 8 bytes at a-8 (a has 64 bytes) is out of bounds", {1}, {1}, a, -1);
  EXPECT_EQ(a[0], 1);
}

TEST(Bounds, WideAccessOverTheEnd) {
  TestDevice device(R"(KERNEL f(float* a, int i) {
    float4 v = *reinterpret_cast<float4*>(a + i);
    v.w += v.x;
    *reinterpret_cast<float4*>(a + i) = v;
  })");
  float* a = device.Array<float>("a", 10);
  device.ExpectGood({1}, {1}, a, 4);
  device.ExpectFault("of 16 bytes at a+32", {1}, {1}, a, 8);
  device.ExpectFault("an address is not aligned for its type", {1}, {1}, a, 1);
}

TEST(Variables, BeginWithWhatNoProgramComputes) {
  TestDevice device(R"(KERNEL f(float* a, int first) {
    float sums[2];
    for (int i = first; i < 2; ++i) sums[i] = 3;
    for (int i = 0; i < 2; ++i) a[i] = sums[i];
  })");
  float* a = device.Array<float>("a", 2);
  device.ExpectGood({1}, {1}, a, 0);
  EXPECT_EQ(a[0], 3);
  device.ExpectGood({1}, {1}, a, 1);
  EXPECT_LT(a[0], -1e30F);
  EXPECT_EQ(a[1], 3);
}

TEST(Bounds, NullAndAtomics) {
  TestDevice device("KERNEL f(int* a, int i) { atomicAdd(a + i, 1); }");
  int* a = device.Array<int>("a", 4);
  device.ExpectGood({1}, {8}, a, 3);
  EXPECT_EQ(a[3], 3 + 5 * 8);
  device.ExpectFault("the atomic update of 4 bytes at a+16", {1}, {8}, a, 4);
  device.ExpectFault("is out of bounds", {1}, {8}, static_cast<int*>(nullptr), 0);
}

TEST(Bounds, ByteArrays) {
  TestDevice device("KERNEL f(unsigned char* a) { a[threadIdx.x] = a[threadIdx.x] + 1; }");
  auto* a = device.Array<unsigned char>("a", 33);
  device.ExpectGood({1}, {33}, a);
  EXPECT_EQ(a[32], 32 + 5);
  device.ExpectFault("the read of 1 bytes at a+33", {1}, {34}, a);
}

TEST(Bounds, MemoryOfAnotherLaunchOnly) {
  TestDevice device("KERNEL f(float* a) { a[0] = 1; }");
  float other = 0;
  device.ExpectFault("is out of bounds", {1}, {1}, &other);
  EXPECT_EQ(other, 0);
}

TEST(Bounds, SharedDimension) {
  const char* text = R"(KERNEL f(float* a, int last) {
    __shared__ float s[8][9];
    for (int i = 0; i <= last; ++i) s[threadIdx.x][i] = 1;
    a[threadIdx.x] = s[threadIdx.x][8];
  })";
  TestDevice device(text);
  float* a = device.Array<float>("a", 8);
  device.ExpectGood({2 - 1}, {8}, a, 8);
  // Still in the variable, but in another row.
  device.ExpectFault(
      "line 3 `for (int i = 0; i <= last; ++i) s[threadIdx.x][i] = 1;`: an index is outside of its array's "
      "dimension",
      {1}, {8}, a, 9);
}

TEST(Bounds, SharedThroughPointer) {
  TestDevice device(R"(__device__ void fill(float* s, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = 0;
  }
  KERNEL f(int n) {
    __shared__ float s[64];
    fill(s, n);
  })");
  device.ExpectGood({3}, {16}, 64);
  device.ExpectFault("the write of 4 bytes at s+256 (s has 256 bytes) is out of bounds", {3}, {16}, 65);
}

TEST(Bounds, SharedOfAnotherKernel) {
  TestDevice device(R"(__device__ float* leak;
  KERNEL f() { __shared__ float s[4]; s[threadIdx.x] = 1; if (threadIdx.x == 0) leak = s; }
  KERNEL g() { __shared__ float t[4]; t[0] = 2; leak[0] = t[0]; })",
                    {{"f"}, {"g"}});
  EXPECT_EQ(device.RunKernel(0, {1}, {4}), absl::OkStatus());
  EXPECT_THAT(std::string(device.RunKernel(1, {1}, {1}).message()), HasSubstr("is out of bounds"));
}

// Functions of the device have shared variables of their own, which count for the kernels that call them.
constexpr char kFunctions[] = R"(
namespace tiles {
static __device__ __forceinline__ float* small() { __shared__ float s[64]; return s; }
inline __device__ double* large() { __shared__ double l[6144]; return l; }
template <int n> __device__ float* sized() { __shared__ float t[n]; return t; }
}
static __device__ float through(int i) { return tiles::small()[i]; }
KERNEL f(float* a, int i) {
  __shared__ float own[65];
  own[threadIdx.x] = 1;
  tiles::small()[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = through(i);
}
KERNEL g(float* a, int i) { tiles::large()[threadIdx.x] = 1; a[threadIdx.x] = tiles::large()[i]; }
KERNEL h(float* a, int i) { tiles::large()[0] = 1; tiles::small()[0] = 2; }
KERNEL k(float* a, int i) {
  tiles::sized<40>()[threadIdx.x] = 3;
  tiles::sized<50>()[threadIdx.x] = 4;
  __syncthreads();
  a[threadIdx.x] = tiles::sized<40>()[threadIdx.x] + tiles::sized<50>()[i];
})";

TEST(SharedOfFunctions, CountForTheKernelsThatCallThem) {
  TestDevice device(kFunctions, {{"f"}, {"g"}, {"h"}, {"k"}});
  float* a = device.Array<float>("a", 64);
  EXPECT_EQ(device.RunKernel(0, {1}, {64}, a, 63), absl::OkStatus());
  EXPECT_EQ(a[0], 63);
  EXPECT_EQ(device.RunKernel(1, {1}, {1}, a, 0), absl::OkStatus());
  EXPECT_THAT(std::string(device.RunKernel(2, {1}, {1}, a, 0).message()),
              HasSubstr("the static shared variables have 49408 bytes, at most 49152"));
  EXPECT_EQ(device.RunKernel(3, {1}, {40}, a, 0), absl::OkStatus());
}

TEST(SharedOfFunctions, AreChecked) {
  TestDevice device(kFunctions, {{"f"}, {"g"}, {"h"}, {"k"}});
  float* a = device.Array<float>("a", 64);
  const auto message = [&](int kernel, Shape block, int i) {
    return std::string(device.RunKernel(kernel, {1}, block, a, i).message());
  };
  EXPECT_THAT(message(0, {64}, 64), HasSubstr("at s+256 (s has 256 bytes) is out of bounds"));
  // What f has written to the same variable is not there any more.
  EXPECT_EQ(message(0, {64}, 3), "");
  EXPECT_THAT(message(0, {63}, 63), HasSubstr("line 7 `static __device__ float through(int i) { return "));
  EXPECT_THAT(message(0, {63}, 63), HasSubstr("is a read of shared memory that this block has not written"));
  EXPECT_THAT(message(1, {2}, 1), HasSubstr("races with a"));
  EXPECT_THAT(message(3, {40}, 40),
              HasSubstr("t+160 (t has 200 bytes) is a read of shared memory that this"));
}

TEST(SharedOfFunctions, OfAllKernelsWhereTheTextDoesNotTell) {
  TestDevice device(R"(#define CALL(name) tile_##name()
  namespace { __shared__ float raw[3]; __device__ int table[12000]; }
  static __device__ float* tile_a() { __shared__ float s[4]; return s; }
  KERNEL f(int i) { CALL(a)[i] = 1; raw[0] = 1; table[i] += 1; }
  KERNEL g(int i) { __shared__ float t[12284]; t[i] = 1; })",
                    {{"f"}, {"g"}});
  EXPECT_EQ(device.RunKernel(0, {1}, {1}, 3), absl::OkStatus());
  EXPECT_THAT(std::string(device.RunKernel(1, {1}, {1}, 4).message()),
              HasSubstr("the static shared variables have 49164 bytes"));
}

TEST(SharedOfFunctions, OutsideOfThem) {
  TestDevice device(R"(namespace { __shared__ float raw[6000]; __device__ int table[12000]; }
  namespace area { __shared__ float other[12000]; __device__ int more[2]; }
  static __device__ void set() { raw[threadIdx.x] = 1; }
  KERNEL f(int* a) { set(); table[threadIdx.x] = a[threadIdx.x]; a[threadIdx.x] = raw[threadIdx.x]; }
  KERNEL g(int* a) { area::other[0] = area::more[0]++; a[0] = table[0]; }
  KERNEL h(int* a) { area::other[0] = raw[0]; })",
                    {{"f"}, {"g"}, {"h"}});
  int* a = device.Array<int>("a", 64);
  EXPECT_EQ(device.RunKernel(0, {1}, {64}, a), absl::OkStatus());
  EXPECT_EQ(device.RunKernel(1, {1}, {1}, a), absl::OkStatus());
  EXPECT_THAT(std::string(device.RunKernel(2, {1}, {1}, a).message()), HasSubstr("72000 bytes"));
}

TEST(Bounds, DynamicShared) {
  TestDevice device(R"(KERNEL f(float* a, int n) {
    extern __shared__ __align__(16) float s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[n - 1 - threadIdx.x];
  })",
                    {{"f", 32 * 4}});
  float* a = device.Array<float>("a", 64);
  EXPECT_EQ(device.Run({1}, {32}, a, 32), absl::OkStatus());
  EXPECT_EQ(a[0], 31);
  device.ExpectFault("at dynamic shared memory+128 (dynamic shared memory has 128 bytes) is out of bounds",
                     {1}, {33}, a, 33);
}

TEST(Bounds, LocalArrays) {
  TestDevice device(R"(__device__ float sum(const float* v, int n) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += v[i];
    return s;
  }
  KERNEL f(float* a, int n) {
    float r[4];
    for (int i = 0; i < n; ++i) r[i] = i;
    a[0] = sum(r, 4);
  })");
  float* a = device.Array<float>("a", 1);
  device.ExpectGood({1}, {1}, a, 4);
  EXPECT_EQ(a[0], 6);
  device.ExpectFault("an index is outside", {1}, {1}, a, 5);
}

TEST(Bounds, StackOfAnotherThread) {
  TestDevice device(R"(KERNEL f(float* a) {
    __shared__ float* p;
    float mine[1] = {3};
    if (threadIdx.x == 0) p = mine;
    __syncthreads();
    a[threadIdx.x] = p[0];
  })");
  float* a = device.Array<float>("a", 2);
  device.ExpectGood({1}, {1}, a);
  device.ExpectFault("thread (1,0,0), line 6", {1}, {2}, a);
}

TEST(Bounds, VariablesOfTheText) {
  TestDevice device(R"(__device__ int table[4];
  __constant__ float weights[3] = {1, 2, 3};
  static __device__ const float fixed[3] = {4, 5, 6};
  static __device__ float at(const float* p, int i) { return p[i]; }
  KERNEL f(float* a, int i) {
    *(&table[0] + i) = 1;
    a[i] = at(weights, i - 1) + at(fixed, i - 1) + weights[i - 1];
  })");
  float* a = device.Array<float>("a", 5);
  device.ExpectGood({1}, {1}, a, 3);
  EXPECT_EQ(a[3], 12);
  device.ExpectFault("line 6 `*(&table[0] + i) = 1;`: the write of 4 bytes", {1}, {1}, a, 4);
  device.ExpectFault("line 4", {1}, {1}, a, 0);
}

TEST(Undefined, SharedRead) {
  TestDevice device(R"(KERNEL f(float* a, int n) {
    __shared__ float s[33];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x + n];
  })");
  float* a = device.Array<float>("a", 32);
  device.ExpectGood({1}, {32}, a, 0);
  device.ExpectFault(
      "thread (31,0,0), line 5 `a[threadIdx.x] = s[threadIdx.x + n];`: the read of 4 bytes at s+128 (s has "
      "132 "
      "bytes) is a read of shared memory that this block has not written",
      {1}, {32}, a, 1);
}

TEST(Undefined, SharedOfTheBlockBefore) {
  TestDevice device(R"(KERNEL f(int* a) {
    __shared__ int s[1];
    if (blockIdx.x == 0) s[0] = 5;
    a[blockIdx.x] = s[0];
  })");
  int* a = device.Array<int>("a", 2);
  device.ExpectGood({1}, {1}, a);
  device.ExpectFault("block (1,0,0), thread (0,0,0), line 4", {2}, {1}, a);
}

TEST(Undefined, SharedAtomic) {
  TestDevice device(R"(KERNEL f(int* a, int init) {
    __shared__ int s;
    if (init && threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, 2);
    __syncthreads();
    if (threadIdx.x == 0) a[0] = s;
  })");
  int* a = device.Array<int>("a", 1);
  device.ExpectGood({1}, {64}, a, 1);
  EXPECT_EQ(a[0], 128);
  device.ExpectFault("the atomic update of 4 bytes at s+0", {1}, {64}, a, 0);
}

TEST(Undefined, GlobalTemporary) {
  TestDevice device(R"(KERNEL f(float* t, float* a, int n) {
    if (threadIdx.x < n) t[threadIdx.x] = 1;
    a[threadIdx.x] = t[threadIdx.x];
  }
  KERNEL g(float* t, float* a) { a[threadIdx.x] = t[threadIdx.x]; })",
                    {{"f"}, {"g"}});
  float* t = device.Array<float>("t", 8, Simulator::Content::kUndefined);
  float* a = device.Array<float>("a", 8);
  EXPECT_EQ(device.RunKernel(0, {1}, {4}, t, a, 4), absl::OkStatus());
  EXPECT_EQ(device.RunKernel(1, {1}, {4}, t, a), absl::OkStatus());
  EXPECT_THAT(std::string(device.RunKernel(1, {1}, {8}, t, a).message()),
              AllOf(HasSubstr("kernel g"), HasSubstr("is a read of memory that was never written")));
}

TEST(Memory, OverlapIsRefused) {
  TestDevice device("KERNEL f() {}");
  float a[8];
  EXPECT_EQ(device.simulator().AddMemory("a", a, 16), absl::OkStatus());
  EXPECT_EQ(device.simulator().AddMemory("b", a + 4, 16), absl::OkStatus());
  EXPECT_EQ(device.simulator().AddMemory("c", a + 3, 8).code(), absl::StatusCode::kInvalidArgument);
}

TEST(Memory, GoesOnAfterAFault) {
  TestDevice device(R"(KERNEL f(float* a, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x + n];
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x] + 1;
  })");
  float* a = device.Array<float>("a", 256);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(device.Run({1}, {256}, a, 1).ok());
    EXPECT_EQ(device.Run({1}, {256}, a, 0), absl::OkStatus());
  }
  EXPECT_EQ(a[255], 265);
}

TEST(UndefinedBehaviour, DivisionByZero) {
  TestDevice device("KERNEL f(int* a, int n) { a[0] = a[1] / n + a[1] % n; }");
  int* a = device.Array<int>("a", 2);
  device.ExpectGood({1}, {1}, a, 1);
  device.ExpectFault("an integer is divided by zero", {1}, {1}, a, 0);
}

// A picture of 3 x 2 elements.
TEST(Textures, NearestAndInterpolated) {
  TestDevice device(R"(KERNEL f(cudaTextureObject_t picture, float* at, float* out) {
    out[threadIdx.x] = tex2D<float>(picture, at[2 * threadIdx.x], at[2 * threadIdx.x + 1]);
  })");
  float* data = device.Array<float>("data", 6);
  float* at = device.Array<float>("at", 8);
  float* out = device.Array<float>("out", 4);
  const auto read = [&](simt_address address, bool linear, bool normalized, std::vector<float> places) {
    simt_texture texture = {data, 2, {3, 2, 1}, address, linear, normalized};
    std::copy(places.begin(), places.end(), at);
    EXPECT_EQ(device.Run({1}, {4}, reinterpret_cast<unsigned long long>(&texture), at, out),
              absl::OkStatus());
    return std::vector<float>(out, out + 4);
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(read(SIMT_CLAMP, false, false, {0.5f, 0.5f, 2.9f, 1.1f, -5, 1, 9, -1}),
              ElementsAre(0, 5, 3, 2));
  EXPECT_THAT(read(SIMT_BORDER, false, false, {2.5f, 0.5f, 3, 0, -0.1f, 1, 1, 1}), ElementsAre(2, 0, 0, 4));
  EXPECT_THAT(read(SIMT_CLAMP, true, false, {1, 0.5f, 1.5f, 1, 0, 0, 9, 9}), ElementsAre(0.5f, 2.5f, 0, 5));
  EXPECT_THAT(read(SIMT_BORDER, true, false, {3, 1.5f, 0, 0.5f, 1.5f, 2, 1, 1}), ElementsAre(2.5f, 0, 2, 2));
  EXPECT_THAT(read(SIMT_WRAP, false, true, {0.5f, 0.25f, 1.5f, 0.25f, -0.1f, 0, 0.1f, 1.6f}),
              ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(read(SIMT_MIRROR, false, true, {1.1f, 0.25f, -0.1f, 0.25f, 1.5f, 0, 0.5f, 1.1f}),
              ElementsAre(2, 0, 1, 4));
}

}  // namespace
}  // namespace tune::simt
