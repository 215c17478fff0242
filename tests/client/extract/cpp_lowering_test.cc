// What C++ has beyond C, as the scop says it.
#include "client/extract/cpp/cpp_lowering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kHeadOfLowered[] =
    "#include <algorithm>\n#include <cmath>\n#include <cstdlib>\n#include <limits>\n"
    "static inline float half(const float &x) { return x / 2; }\n"
    "static inline void add(double &to, const double &x) { to += x; to += x; }\n"
    "void f(const int &n, float (&x)[100], double *y, double &sum, int *k, long *l, bool *b)";

// The only statement of a loop over i.
std::string LoweredStatement(const std::string& statement) {
  const v1::Scop scop = CppScopOf(kHeadOfLowered, "for (int i = 0; i < n; i++) " + statement);
  return scop.statements_size() == 1 ? StatementText(scop.statements(0)) : "";
}

TEST(CppLoweringTest, FunctionsOfTheLibraryAreThoseOfTheirTypes) {
  EXPECT_EQ(LoweredStatement("x[i] = std::sqrt(x[i]);"), "x[i] = __builtin_sqrtf(x[i])");
  EXPECT_EQ(LoweredStatement("y[i] = std::sqrt(y[i]);"), "y[i] = __builtin_sqrt(y[i])");
  EXPECT_EQ(LoweredStatement("y[i] = std::sqrt(k[i]);"), "y[i] = __builtin_sqrt(k[i])");
  EXPECT_EQ(LoweredStatement("y[i] = sqrtf(x[i]);"), "y[i] = __builtin_sqrtf(x[i])");
  EXPECT_EQ(LoweredStatement("x[i] = std::abs(x[i]);"), "x[i] = __builtin_fabsf(x[i])");
  EXPECT_EQ(LoweredStatement("k[i] = std::abs(k[i]);"), "k[i] = __builtin_abs(k[i])");
  EXPECT_EQ(LoweredStatement("l[i] = std::abs(l[i]);"), "l[i] = __builtin_labs(l[i])");
  EXPECT_EQ(LoweredStatement("k[i] = __builtin_popcountl(l[i]);"), "k[i] = __builtin_popcountl(l[i])");
  EXPECT_EQ(LoweredStatement("y[i] = std::pow(x[i], 2);"), "y[i] = __builtin_pow(x[i], 2)");
  EXPECT_EQ(LoweredStatement("k[i] = std::isnan(x[i]);"), "k[i] = (__builtin_isnan(x[i]) != 0)");
}

TEST(CppLoweringTest, ExtremesAreChoices) {
  EXPECT_EQ(LoweredStatement("y[i] = std::min(y[i + 1], sum);"),
            "y[i] = ((sum[] < y[1 + i]) ? sum[] : y[1 + i])");
  EXPECT_EQ(LoweredStatement("y[i] = std::max(std::max(y[i], sum), y[0]);"),
            "y[i] = ((((y[i] < sum[]) ? sum[] : y[i]) < y[0]) ? y[0] : ((y[i] < sum[]) ? sum[] : y[i]))");
  EXPECT_EQ(LoweredStatement("sum = std::max(sum, y[i]);"), "sum[] max= y[i]");
  EXPECT_EQ(LoweredStatement("x[i] = std::clamp(x[i], 0.f, 1.f);"),
            "x[i] = ((x[i] < 0.f) ? 0.f : ((1.f < x[i]) ? 1.f : x[i]))");
}

// Arguments have the parameters' type before one of them is chosen.
TEST(CppLoweringTest, ExtremesOfOtherTypesConvertFirst) {
  EXPECT_EQ(LoweredStatement("y[i] = std::max<double>(x[i], k[i]);"),
            "y[i] = (((double)x[i] < (double)k[i]) ? (double)k[i] : (double)x[i])");
  EXPECT_EQ(LoweredStatement("k[i] = std::min<int>(y[i], x[i]);"),
            "k[i] = (((int)x[i] < (int)y[i]) ? (int)x[i] : (int)y[i])");
}

TEST(CppLoweringTest, ReferencesToExtremesAreRefused) {
  for (const char* body : {"{ const double &t = std::max(y[i], sum); y[i] = 0; y[i + 1] = t; }",
                           "add(y[i], std::max(y[i], sum));"}) {
    const v1::Extraction extraction =
        ExtractCpp(Function(kHeadOfLowered, absl::StrCat("for (int i = 0; i < n; i++) ", body)));
    EXPECT_EQ(extraction.scops_size(), 0) << body;
    EXPECT_NE(Problems(extraction), "") << body;
  }
}

TEST(CppLoweringTest, NumbersAreThoseOfC) {
  EXPECT_EQ(LoweredStatement("y[i] = 1'000.5;"), "y[i] = 1000.5");
  EXPECT_EQ(LoweredStatement("y[i] = double{} + float(0.25);"), "y[i] = ((double)0.0 + (float)0.25)");
  EXPECT_EQ(LoweredStatement("k[i] = 'a' + true;"), "k[i] = 98");
  EXPECT_EQ(LoweredStatement("y[i] = std::numeric_limits<float>::infinity();"), "y[i] = INFINITY");
  EXPECT_EQ(LoweredStatement("k[i] = std::numeric_limits<int>::max();"), "k[i] = 2147483647");
  EXPECT_EQ(LoweredStatement("x[i] = half(2 * x[i]);"), "x[i] = ((2 * x[i]) / 2)");
}

TEST(CppLoweringTest, ReferencesNameWhatTheyAreBoundTo) {
  EXPECT_EQ(LoweredStatement("{ auto &z = y[i + 1]; z = z * sum; }"), "y[1 + i] *= sum[]");
  const v1::Scop scop = CppScopOf(kHeadOfLowered, "for (int i = 1; i < n; i++) add(y[i], y[i - 1]);");
  ASSERT_EQ(scop.statements_size(), 2);
  EXPECT_EQ(StatementText(scop.statements(0)), "y[i] += y[-1 + i]");
  EXPECT_EQ(StatementText(scop.statements(1)), "y[i] += y[-1 + i]");
}

// The object may be another one's part, and its value changes by other names.
TEST(CppLoweringTest, ReferencesFromOutsideMayOverlap) {
  const v1::Scop scop =
      CppScopOf(kHeadOfLowered, "for (int i = 0; i < n; i++) { y[i] += x[i] * sum; k[i] = b[i]; }");
  for (const v1::Array& array : scop.arrays()) EXPECT_EQ(array.overlap(), v1::Array::POINTER) << array.name();
  ASSERT_EQ(scop.parameters_size(), 1);
  EXPECT_TRUE(scop.parameters(0).is_target());
  EXPECT_EQ(scop.parameters(0).c_type(), "int");
  const auto x = std::find_if(scop.arrays().begin(), scop.arrays().end(),
                              [](const v1::Array& array) { return array.name() == "x"; });
  ASSERT_NE(x, scop.arrays().end());
  EXPECT_FALSE(x->is_pointer());
  EXPECT_EQ(x->extents(0).c_expression(), "100");
}

// What is written by a reference is not what it was before.
TEST(CppLoweringTest, WritesByReferencesAreWrites) {
  const v1::Extraction extraction = ExtractCpp(
      Function("void f(int m, double *y)", "int &n = m; n = 3; for (int i = 0; i < m; i++) y[i] = 0;"));
  EXPECT_EQ(extraction.scops_size(), 0);
  EXPECT_THAT(Problems(extraction), HasSubstr("`m` is written inside the region"));
}

TEST(CppLoweringTest, IteratorsHaveNoOtherNames) {
  const v1::Extraction extraction = ExtractCpp(
      Function("void f(int n, double *y)", "for (int i = 0; i < n; i++) { int &j = i; y[i] = 0; j++; }"));
  EXPECT_EQ(extraction.scops_size(), 0);
  EXPECT_NE(Problems(extraction), "");
}

}  // namespace
}  // namespace tune::testing
