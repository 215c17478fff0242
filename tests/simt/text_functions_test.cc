#include "tests/simt/text_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune::simt {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr char kText[] = R"(#include <math.h>
#define TILE(i) tile(i) + \
  other[i]
// void commented() { called_by_nobody(); }
/* { */ static const char* brace = "{ \" (", quote = '\'';
__device__ int other[4] = {1, 2, 3, 4};
enum Kind { kOne, kTwo };
struct Pair { int a, b; __device__ int sum() const { return a + helper(b); } };
namespace area {
__device__ float helper(float x) { if (x > 0) { return leaf(x); } return x; }  // calls { what follows
template <int n> __device__ __forceinline__ float tile(int i) noexcept { return leaf(i) + n; }
}  // namespace area
static __device__ float leaf(float x);
static __device__ float leaf(float x) { return x; }
static __device__ float lonely(float x) { return leaf(x); }
extern "C" __global__ void __launch_bounds__(64, 2) f(float *A, const float *__restrict__ B, const float* C,
                                                      float const * __restrict__ D, int n, const float *const *E,
                                                      Pair<int, 3> p, const float *__restrict F) {
  A[n] = TILE(n);
}
extern "C" {
__global__ void g(void) { Pair p = {1, 2}; p.sum(); again(); }
}
void again() { g(); }
)";

TEST(TextFunctions, Mentioned) {
  const TextFunctions functions(kText);
  EXPECT_THAT(*functions.Mentioned("f"),
              AllOf(IsSupersetOf({"f", "TILE", "tile", "leaf", "other"}), Not(Contains("helper")),
                    Not(Contains("lonely")), Not(Contains("called_by_nobody")), Not(Contains("again"))));
  EXPECT_THAT(*functions.Mentioned("g"),
              AllOf(IsSupersetOf({"g", "sum", "helper", "leaf", "again"}), Not(Contains("tile"))));
  EXPECT_THAT(*functions.Mentioned("lonely"), AllOf(Contains("leaf"), Not(Contains("f"))));
  EXPECT_FALSE(functions.Mentioned("commented").has_value());
  EXPECT_FALSE(functions.Mentioned("absent").has_value());
}

TEST(TextFunctions, NamesMadeByMacros) {
  const TextFunctions functions("#define CALL(n) tile##n()\nvoid f() { CALL(3); }\n");
  EXPECT_FALSE(functions.Mentioned("f").has_value());
}

TEST(TextFunctions, ConstantParameters) {
  const TextFunctions functions(kText);
  EXPECT_THAT(functions.ConstantParameters("f"),
              ElementsAre(false, true, false, true, false, false, false, true));
  EXPECT_THAT(functions.ConstantParameters("lonely"), ElementsAre(false));
  EXPECT_THAT(TextFunctions("void f() {}").ConstantParameters("f"), IsEmpty());
  EXPECT_THAT(functions.ConstantParameters("absent"), IsEmpty());
}

TEST(TextFunctions, UnbalancedText) {
  for (const char* text :
       {"", "void f(", "void f() {", "}}", "{", "\"", "/*", "#define", "#define A\\", "void f) {", "#"})
    TextFunctions functions(text);
}

}  // namespace
}  // namespace tune::simt
