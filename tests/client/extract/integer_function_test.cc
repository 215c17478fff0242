// Functions of integers in bounds, subscripts and values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kIntegerHead[] =
    "#include <stdlib.h>\n#include <math.h>\n"
    "int min(int, int); int max(int, int); long floord(long, long); long ceild(long, long);\n"
    "void f(int n, double x, double A[100], int K[100])";

std::string DomainOf(const std::string& loop) {
  return ScopOf(kIntegerHead, absl::StrCat(loop, " A[i] = 0;")).statements(0).domain();
}

TEST(IntegerFunction, MayStandInBoundsAndSubscripts) {
  EXPECT_TRUE(SameSet(DomainOf("for (int i = max(0, n - 9); i < min(n, 50); i++)"),
                      "[n] -> { S0[i] : i >= 0 and i >= n - 9 and i < n and i < 50 }"));
  EXPECT_TRUE(SameSet(DomainOf("for (int i = ceild(n - 7, 4); i <= floord(n, 3); i++)"),
                      "[n] -> { S0[i] : 4i >= n - 7 and 3i <= n }"));
  EXPECT_TRUE(SameSet(DomainOf("for (int i = abs(n); i < 9; i++)"),
                      "[n] -> { S0[i] : i >= n and i >= -n and i < 9 }"));
}

TEST(IntegerFunction, OnesThatAreNotDeclaredAreOfInts) {
  const auto domain = [](const std::string& parameters, const std::string& bound) {
    const v1::Extraction extraction = Extract(Function("void f(" + parameters + ", double A[100])",
                                                       "for (int i = 0; i < " + bound + "; i++) A[i] = 0;"));
    return extraction.scops().empty() ? Problems(extraction) : extraction.scops(0).statements(0).domain();
  };
  EXPECT_TRUE(SameSet(domain("int n", "min(floord(n, 2), imax(n, 7))"),
                      "[n] -> { S0[i] : i >= 0 and i < floor(n/2) and (i < n or i < 7) }"));
  EXPECT_THAT(domain("long n", "floord(n, 2)"), HasSubstr("it is the result of a call"));
  EXPECT_THAT(domain("int n", "floord(n)"), HasSubstr("it is the result of a call"));
}

TEST(IntegerFunction, HintsComputeNothing) {
  const v1::Scop scop = ScopOf(
      "void __pencil_assume(int); void f(int n, double A[100])",
      "__pencil_assume(n > 4); for (int i = 0; i < n; i++) { __builtin_prefetch(&A[i + 1]); A[i] = 0; }");
  EXPECT_EQ(scop.statements_size(), 1);
  EXPECT_EQ(scop.arrays_size(), 1);
  EXPECT_THAT(Problems(Extract(Function("void __pencil_assume(int); void f(int n, double A[100])",
                                        "for (int i = 0; i < 9; i++) { A[i] = 0; __pencil_assume(n++); }"))),
              HasSubstr("a call of `__pencil_assume`"));
}

TEST(IntegerFunction, QuotientsMayBeRoundedInFloatingPoint) {
  constexpr char kMacros[] =
      "#include <math.h>\n#define ceild(n, d) ceil(((double)(n)) / ((double)(d)))\n"
      "#define floord(n, d) floor(((double)(n)) / ((double)(d)))\n"
      "#define min(x, y) ((x) < (y) ? (x) : (y))\nvoid f(int n, long m, double A[100])";
  const v1::Scop scop = ScopOf(
      kMacros, "for (int i = ceild(n - 7, 4); i <= min(floord(n, 3), 40); i++) A[(int)floord(i, 2)] = 0;");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "[n] -> { S0[i] : 4i >= n - 7 and 3i <= n and i <= 40 }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n] -> { S0[i] -> A[floor(i/2)] }"));
  EXPECT_THAT(Problems(Extract(Function(kMacros, "for (int i = 0; i <= floord(m, 3); i++) A[i] = 0;"))),
              HasSubstr("compares values that are not integers"));
}

TEST(IntegerFunction, MasksAndShiftsAreAffine) {
  EXPECT_TRUE(SameSet(DomainOf("for (int i = 0; i < n; i++) if (i & 1)"),
                      "[n] -> { S0[i] : 0 <= i < n and i mod 2 = 1 }"));
  EXPECT_TRUE(SameSet(DomainOf("for (int i = -9; i < n; i++) if ((i & 7) == 3 && (-4 & i) >= i >> 1)"),
                      "[n] -> { S0[i] : -9 <= i < n and i mod 8 = 3 and i - i mod 4 >= floor(i/2) }"));
}

TEST(IntegerFunction, ValuesAreChoices) {
  const v1::Scop scop =
      ScopOf(kIntegerHead, "for (int i = 0; i < n; i++) K[i] = max(K[i], 3 * i) + min(K[i + 1], n);");
  EXPECT_EQ(StatementText(scop.statements(0)),
            "K[i] = (((K[i] > <3i>) ? K[i] : <3i>) + ((K[1 + i] < <n>) ? K[1 + i] : <n>))");
}

TEST(IntegerFunction, OthersAreRefusedByTheirNames) {
  const auto problems = [](const std::string& head, const std::string& call) {
    return Problems(Extract(Function(head + "\nvoid f(int n, double A[100])",
                                     absl::StrCat("for (int i = 0; i < n; i++) A[i] = ", call, ";"))));
  };
  EXPECT_THAT(problems("double max(double, double);", "max(A[i], 1)"),
              HasSubstr("a call of `max`, which is only declared and may have side effects"));
  EXPECT_THAT(problems("double g(double) __attribute__((const));", "g(A[i])"),
              HasSubstr("a call of `g`, which is only declared: tuned code runs"));
  EXPECT_THAT(problems("__attribute__((weak)) double g(double x) { return x; }", "g(A[i])"),
              HasSubstr("a call of `g`, which other files may define in another way"));
  EXPECT_THAT(problems("double (*g)(double);", "g(A[i])"), HasSubstr("a function through a pointer"));
}

TEST(StatementExpression, IsItsLastValue) {
  const v1::Scop scop = ScopOf(kIntegerHead,
                               "for (int i = ({ int a = n, b = 3; a > b ? a : b; }); i < 50; i++)"
                               "  A[i] = ({ float t = A[i] + 1; if (t < 0) t = 0; t * x; });");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "[n] -> { S0[i] : i >= n and i >= 3 and i < 50 }"));
  EXPECT_EQ(StatementText(scop.statements(0)),
            "A[i] = (((float)(A[i] + 1) < 0) ? ((float)0 * x[]) : ((float)(A[i] + 1) * x[]))");
}

}  // namespace
}  // namespace tune::testing
