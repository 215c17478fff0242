// Loop headers and conditions as sets of instances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

struct LoopCase {
  const char* name;
  const char* loops;   // in front of `A[i + 100] = 0;`
  const char* domain;  // of S0, over [n] or [n, m]
  bool decreases = false;
};

class LoopDomain : public ::testing::TestWithParam<LoopCase> {};

TEST_P(LoopDomain, IsTheSetOfIterations) {
  const LoopCase& c = GetParam();
  v1::Scop scop = ScopOf("void f(int n, int m, double A[1000])", std::string(c.loops) + " A[i + 100] = 0;");
  ASSERT_EQ(scop.statements_size(), 1);
  IslContext context;
  isl::set domain = isl::set(context.ctx(), scop.statements(0).domain())
                        .intersect_params(isl::set(context.ctx(), scop.context()));
  std::ostringstream text;
  text << domain;
  EXPECT_TRUE(SameSet(text.str(), c.domain));
  EXPECT_EQ(scop.schedule().find("(-i)") != std::string::npos, c.decreases) << scop.schedule();
}

INSTANTIATE_TEST_SUITE_P(
    Headers, LoopDomain,
    ::testing::Values(
        LoopCase{"PostIncrement", "for (int i = 0; i < n; i++)", "[n] -> { S0[i] : 0 <= i < n }"},
        LoopCase{"PreIncrement", "for (int i = 0; i < n; ++i)", "[n] -> { S0[i] : 0 <= i < n }"},
        LoopCase{"AddAssign", "for (int i = 0; i < n; i += 2)",
                 "[n] -> { S0[i] : 0 <= i < n and i mod 2 = 0 }"},
        LoopCase{"Sum", "for (int i = 1; i <= n; i = i + 3)",
                 "[n] -> { S0[i] : 1 <= i <= n and (i - 1) mod 3 = 0 }"},
        LoopCase{"SumReversed", "for (int i = 1; i <= n; i = 1 + i)", "[n] -> { S0[i] : 1 <= i <= n }"},
        LoopCase{"NegativeAddend", "for (int i = n; i > 0; i += -1)", "[n] -> { S0[i] : 0 < i <= n }", true},
        LoopCase{"Decrement", "for (int i = n - 1; i >= 0; i--)", "[n] -> { S0[i] : 0 <= i < n }", true},
        LoopCase{"SubtractAssign", "for (int i = n; i >= 1; i -= 3)",
                 "[n] -> { S0[i] : 1 <= i <= n and (n - i) mod 3 = 0 }", true},
        LoopCase{"Difference", "for (int i = n; i > 0; i = i - 1)", "[n] -> { S0[i] : 0 < i <= n }", true},
        LoopCase{"ConstantStep", "enum { STEP = 4 }; for (int i = 0; i < n; i += STEP)",
                 "[n] -> { S0[i] : 0 <= i < n and i mod 4 = 0 }"},
        // A narrow iterator would wrap around before larger bounds; the context excludes them.
        LoopCase{"Narrow", "for (unsigned char i = 0; i < n; i++)", "[n] -> { S0[i] : 0 <= i < n <= 255 }"},
        LoopCase{"NarrowStride", "for (short i = 0; i < n; i += 10)",
                 "[n] -> { S0[i] : 0 <= i < n <= 32760 and i mod 10 = 0 }"},
        LoopCase{"BoundFirst", "for (int i = 0; n > i; i++)", "[n] -> { S0[i] : 0 <= i < n }"},
        LoopCase{"DeclaredBefore", "int i; for (i = 0; i < n; i++)", "[n] -> { S0[i] : 0 <= i < n }"},
        // `!=` ends the loop when the bound can be met; the context excludes the rest.
        LoopCase{"NotEqual", "for (int i = 0; i != n; i++)", "[n] -> { S0[i] : 0 <= i < n }"},
        LoopCase{"NotEqualDown", "for (int i = n; i != 0; i--)", "[n] -> { S0[i] : 0 < i <= n }", true},
        LoopCase{"NotEqualStride", "for (int i = 0; i != n; i += 2)",
                 "[n] -> { S0[i] : 0 <= i < n and i mod 2 = 0 and n mod 2 = 0 }"},
        // The first failure ends the loop, although the condition holds again later.
        LoopCase{"FirstFailure", "for (int i = 0; i < 5 || (i > 7 && i < 20); i++)",
                 "{ S0[i] : 0 <= i < 5 }"},
        LoopCase{"Modulo", "for (int i = 1; i % 8; i++)", "{ S0[i] : 1 <= i < 8 }"},
        LoopCase{"TwoBounds", "for (int i = 0; i < n && i < m; i++)",
                 "[n, m] -> { S0[i] : 0 <= i < n and i < m }"},
        LoopCase{"Cast", "for (int i = 0; i < (int)(n / 2); i++)",
                 "[n] -> { S0[i] : 0 <= i and 2*i + 2 <= n }"},
        LoopCase{"Minimum", "for (int i = 0; i < (n < m ? n : m); i++)",
                 "[n, m] -> { S0[i] : 0 <= i < n and i < m }"},
        LoopCase{"Shift", "for (int i = n >> 2; i < n << 1; i++)", "[n] -> { S0[i] : floor(n/4) <= i < 2n }"},
        LoopCase{"UnsignedDown", "for (unsigned i = 9; i > 0; i--)", "{ S0[i] : 0 < i <= 9 }", true},
        LoopCase{"SizeType", "for (unsigned long i = 0; i < 10; i++)", "{ S0[i] : 0 <= i < 10 }"},
        LoopCase{"Sizeof", "for (unsigned i = 0; i < sizeof(double); i++)", "{ S0[i] : 0 <= i < 8 }"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Conditions, LoopDomain,
    ::testing::Values(LoopCase{"If", "for (int i = 0; i < n; i++) if (i >= m)",
                               "[n, m] -> { S0[i] : 0 <= i < n and i >= m }"},
                      LoopCase{"And", "for (int i = 0; i < n; i++) if (i > 2 && i != m)",
                               "[n, m] -> { S0[i] : 0 <= i < n and i > 2 and (i < m or i > m) }"},
                      LoopCase{"Or", "for (int i = 0; i < n; i++) if (i < 3 || i > m)",
                               "[n, m] -> { S0[i] : 0 <= i < n and (i < 3 or i > m) }"},
                      LoopCase{"Not", "for (int i = 0; i < n; i++) if (!(i < m))",
                               "[n, m] -> { S0[i] : 0 <= i < n and i >= m }"},
                      LoopCase{"Truth", "for (int i = 0; i < n; i++) if (i % 3)",
                               "[n] -> { S0[i] : 0 <= i < n and i mod 3 > 0 }"},
                      LoopCase{"NotTruth", "for (int i = 0; i < n; i++) if (!(i % 3))",
                               "[n] -> { S0[i] : 0 <= i < n and i mod 3 = 0 }"},
                      // C's division truncates and its remainder has the sign of the dividend.
                      LoopCase{"NegativeDividend", "for (int i = -5; i < 6; i++) if (i / 2 == -1)",
                               "{ S0[i] : -3 <= i <= -2 }"},
                      LoopCase{"NegativeRemainder", "for (int i = -5; i < 6; i++) if (i % 3 == -2)",
                               "{ S0[i] : i = -5 or i = -2 }"},
                      LoopCase{"NegativeDivisor", "for (int i = -5; i < 6; i++) if (i / -2 == 2)",
                               "{ S0[i] : i = -5 or i = -4 }"},
                      LoopCase{"Constant", "for (int i = 0; i < n; i++) if (1)",
                               "[n] -> { S0[i] : 0 <= i < n }"},
                      LoopCase{"Else", "for (int i = 0; i < n; i++) if (i < m) ; else",
                               "[n, m] -> { S0[i] : 0 <= i < n and i >= m }"},
                      LoopCase{"Bitwise", "for (int i = 0; i < n; i++) if (~i < -m)",
                               "[n, m] -> { S0[i] : 0 <= i < n and i >= m }"}),
    [](const auto& info) { return info.param.name; });

TEST(LoopDomain, NestedBoundsDependOnOuterIterators) {
  v1::Scop scop =
      ScopOf("void f(int n, double A[n][n])",
             "for (int i = 0; i < n; i++) for (int j = i; j <= 2 * i + 1 && j < n; j++) A[i][j] = 0;");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(),
                      "[n] -> { S0[i, j] : 0 <= i < n and i <= j <= 2i + 1 and j < n }"));
  EXPECT_THAT(
      std::vector<std::string>(scop.statements(0).iterators().begin(), scop.statements(0).iterators().end()),
      (std::vector<std::string>{"i", "j"}));
}

TEST(LoopDomain, UnsignedBoundsBecomeAssumptions) {
  v1::Scop scop =
      ScopOf("void f(unsigned n, double A[1000])", "for (unsigned i = 0; i < n - 1; i++) A[i] = 0;");
  EXPECT_TRUE(SameSet(scop.context(), "[n] -> { : n >= 1 }"));
}

TEST(LoopDomain, ShadowedIteratorsGetNamesOfTheirOwn) {
  v1::Scop scop = ScopOf("void f(int n, double A[n][n])",
                         "for (int i = 0; i < n; i++) for (int k = 0; k < 1; k++) { int t = i; for (int i = "
                         "0; i < t; i++) A[t][i] = 0; }");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(),
                      "[n] -> { S0[i, k, i_1] : 0 <= i < n and k = 0 and 0 <= i_1 < i }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n] -> { S0[i, k, i_1] -> A[i, i_1] }"));
}

TEST(LoopDomain, IteratorsMayHaveNamesOfIslsWords) {
  v1::Scop scop = ScopOf("void f(double A[10])", "for (int min = 0; min < 9; min++) A[min] = 1.0;");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "{ S0[i] : 0 <= i < 9 }"));
}

constexpr char kStepOfParameter[] =
    "void f(int n, int step, double *restrict A) {\n#pragma scop\nfor (int i = 0; i < n; i += step) A[i * "
    "step] = 0;\n#pragma endscop\n}\n";

TEST(LoopDomain, StepsMayBeParametersThatAreTakenForConstants) {
  const v1::Extraction refused = Extract(kStepOfParameter);
  ASSERT_EQ(refused.diagnostics_size(), 1);
  EXPECT_THAT(refused.diagnostics(0).remedy(),
              ::testing::HasSubstr("say its value with `--constant step=N`"));
  ExtractionRequest request;
  request.constants = {{"step", 4}};
  const v1::Extraction extraction = Extract(kStepOfParameter, request);
  ASSERT_EQ(Problems(extraction), "");
  const v1::Scop& scop = extraction.scops(0);
  EXPECT_TRUE(SameSet(scop.context(), "[n, step] -> { : step = 4 }"));
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "[n, step] -> { S0[i] : 0 <= i < n and i mod 4 = 0 }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n, step] -> { S0[i] -> A[4i] }"));
}

TEST(LoopDomain, ConstantsAreOfParameters) {
  ExtractionRequest request;
  request.constants = {{"step", 4}, {"steps", 3}};
  const v1::Extraction extraction = Extract(kStepOfParameter, request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).reason(), "--constant steps=3: no region has a parameter of this name");
  EXPECT_EQ(extraction.diagnostics(0).remedy(), "name one of these: n, step");
}

TEST(LoopDomain, StatementsThatAreNeverReachedAreLeftOut) {
  v1::Scop scop = ScopOf("void f(int n, double A[10])",
                         "if (0) A[0] = 1; for (int i = 5; i < 5; i++) A[i] = 2; A[1] = 3;");
  ASSERT_EQ(scop.statements_size(), 1);
  EXPECT_EQ(ValueText(scop.statements(0)), "3");
}

}  // namespace
}  // namespace tune::testing
