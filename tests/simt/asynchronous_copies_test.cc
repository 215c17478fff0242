// Asynchronous copies into shared memory: when they arrive, and what may not be touched until then.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/simt/asynchronous_text.h"
#include "tests/simt/test_device.h"

namespace tune::simt {
namespace {

using ::testing::HasSubstr;

// As generated texts have them.
constexpr char kCopyFunctions[] = R"(
static __device__ __forceinline__ void copy_16(void *to, const void *from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
#else
  *(int4 *)to = *(const int4 *)from;
#endif
}

static __device__ __forceinline__ void copy_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

template <int open> static __device__ __forceinline__ void copy_await() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" : : "n"(open) : "memory");
#endif
}
)";

// Sums of rows of 128 floats, of which each of 32 threads copies four; three rows are in shared memory.
constexpr char kPipeline[] = R"(KERNEL f(float* a, const float* b, int rows) {
  __shared__ __align__(16) float s[3][128];
  const int t = threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 2; ++n) {
    if (n < rows) copy_16(&s[n][4 * t], &b[128 * n + 4 * t]);
    copy_commit();
  }
  for (int n = 0; n < rows; ++n) {
    copy_await<1>();
    __syncthreads();
    if (n + 2 < rows) copy_16(&s[(n + 2) % 3][4 * t], &b[128 * (n + 2) + 4 * t]);
    copy_commit();
    for (int i = 0; i < 128; ++i) sum += s[n % 3][i];
  }
  a[t] = sum;
})";

std::string Pipeline(const std::string& part, const std::string& other) {
  return absl::StrCat(kCopyFunctions, absl::StrReplaceAll(kPipeline, {{part, other}}));
}

void ExpectFaultOf(const std::string& text, const std::string& message) {
  TestDevice device(text);
  float* a = device.Array<float>("a", 32);
  float* b = device.Array<float>("b", 128 * 9);
  device.ExpectFault(message, {1}, {32}, a, b, 9);
}

TEST(AsynchronousCopies, ArriveWhereTheyAreWaitedFor) {
  TestDevice device(absl::StrCat(kCopyFunctions, kPipeline));
  float* a = device.Array<float>("a", 32);
  float* b = device.Array<float>("b", 128 * 9);
  for (const int rows : {1, 2, 9}) {
    device.ExpectGood({1}, {32}, a, b, rows);
    const float count = 128.0F * static_cast<float>(rows);
    EXPECT_EQ(a[31], count * (count - 1) / 2) << rows;
  }
}

TEST(AsynchronousCopies, NobodyWaitsForThem) {
  ExpectFaultOf(Pipeline("copy_await<1>();", ""),
                "is one of what an asynchronous copy writes that its thread has not waited for");
  ExpectFaultOf(Pipeline("copy_await<1>();", "copy_await<2>();"),
                "is one of what an asynchronous copy writes that its thread has not waited for");
  ExpectFaultOf(Pipeline("    copy_commit();\n    for", "    for"),
                "is one of what an asynchronous copy writes that its thread has not waited for");
}

TEST(AsynchronousCopies, OthersHaveNotWaited) {
  ExpectFaultOf(Pipeline("copy_await<1>();\n    __syncthreads();", "__syncthreads();\n    copy_await<1>();"),
                "asynchronous copy");
}

TEST(AsynchronousCopies, OverWhatIsStillRead) {
  ExpectFaultOf(absl::StrCat(kCopyFunctions,
                             absl::StrReplaceAll(
                                 kPipeline, {{"    __syncthreads();\n", ""},
                                             {"    for (int i", "    __syncthreads();\n    for (int i"}})),
                "asynchronous copy");
  ExpectFaultOf(Pipeline("(n + 2) % 3", "(n + 3) % 3"), "asynchronous copy");
}

TEST(AsynchronousCopies, OfOtherPlaces) {
  ExpectFaultOf(Pipeline("&b[128 * (n + 2) + 4 * t]", "&b[128 * (n + 2) + 4 * t + 1]"),
                "an asynchronous copy is not aligned for its size");
  ExpectFaultOf(Pipeline("&b[128 * (n + 2) + 4 * t]", "&b[128 * (n + 3) + 4 * t]"),
                "(b has 4608 bytes) is out of bounds");
}

TEST(AsynchronousCopies, WhatTheyReadChanges) {
  ExpectFaultOf(absl::StrCat(kCopyFunctions, R"(KERNEL f(float* a, float* b, int) {
    __shared__ __align__(16) float s[128];
    copy_16(&s[4 * threadIdx.x], &b[4 * threadIdx.x]);
    copy_commit();
    b[threadIdx.x] = 1;
    copy_await<0>();
    a[threadIdx.x] = s[4 * threadIdx.x];
  })"),
                "races with");
}

// Only what the thread itself copied, and only when it has waited.
TEST(AsynchronousCopies, NeedNoBarrierForTheirThread) {
  TestDevice device(absl::StrCat(kCopyFunctions, R"(KERNEL f(float* a, const float* b) {
    __shared__ __align__(16) float s[128];
    copy_16(&s[4 * threadIdx.x], &b[4 * threadIdx.x]);
    copy_commit();
    copy_await<0>();
    a[threadIdx.x] = s[4 * threadIdx.x + 3];
  })"));
  float* a = device.Array<float>("a", 32);
  float* b = device.Array<float>("b", 128);
  device.ExpectGood({3 - 2}, {32}, a, b);
  EXPECT_EQ(a[31], 127);
}

TEST(AsynchronousText, KeepsLinesAndOtherAssembler) {
  const std::string text =
      "#if __CUDA_ARCH__ >= 800\n  asm volatile(\"cp.async.commit_group;\"\n : : : \"memory\");\n#endif\n"
      "asm volatile(\"cp.async.mbarrier.arrive.shared.b64 [%0];\" : : \"r\"(x));\n";
  EXPECT_EQ(ReplaceAsynchronousCopies(text),
            "#if 1\n  simt_commit_copies();\n\n#endif\n"
            "asm volatile(\"cp.async.mbarrier.arrive.shared.b64 [%0];\" : : \"r\"(x));\n");
  EXPECT_EQ(ReplaceAsynchronousCopies("asm volatile(\"cp.async.wait_all;\");"), "simt_await_copies(-1);");
}

}  // namespace
}  // namespace tune::simt
