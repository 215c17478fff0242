// Calls of the library that set or copy elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/isl/isl.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kMemoryHead[] =
    "#include <string.h>\nstatic double t[9][7], u[9][7]; static char s[90]; static int k[9]; struct p { "
    "double x, y; "
    "}; static struct p ps[9];\nvoid f(int n, int m, double *a, double *b, float *c, double v[n][m], "
    "unsigned w)";

// Of the only statement: "S[...] -> a[...]" of what it writes, and its value.
void ExpectStatement(const std::string& body, const std::string& domain, const std::string& relation,
                     const std::string& value) {
  const v1::Scop scop = ScopOf(kMemoryHead, body);
  ASSERT_EQ(scop.statements_size(), 1) << body;
  const v1::Statement& statement = scop.statements(0);
  EXPECT_TRUE(SameSet(statement.domain(), domain)) << body << statement.domain();
  EXPECT_TRUE(SameMap(statement.accesses(statement.target()).relation(), relation))
      << body << statement.accesses(statement.target()).relation();
  EXPECT_EQ(ValueText(statement), value);
}

TEST(ElementLoop, SetsMemory) {
  ExpectStatement("memset(a, 0, n * sizeof *a);", "[n] -> { S0[i] : 0 <= i < n }", "[n] -> { S0[i] -> a[i] }",
                  "0.0");
  ExpectStatement("memset(a + n, 0, 8 * (n - 1));", "[n] -> { S0[i] : 0 <= i < n - 1 }",
                  "[n] -> { S0[i] -> a[n + i] }", "0.0");
  ExpectStatement("memset(a, 0, (size_t)n * m * sizeof(double));",
                  "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }", "[n, m] -> { S0[i, j] -> a[i, j] }",
                  "0.0");
  ExpectStatement("memset(t, 0, sizeof t);", "{ S0[i, j] : 0 <= i < 9 and 0 <= j < 7 }",
                  "{ S0[i, j] -> t[i, j] }", "0.0");
  ExpectStatement("memset(t[2], 0, sizeof t[2]);", "{ S0[i] : 0 <= i < 7 }", "{ S0[i] -> t[2, i] }", "0.0");
  ExpectStatement("memset(v, 0, sizeof(double) * m * n);",
                  "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }", "[n, m] -> { S0[i, j] -> v[i, j] }",
                  "0.0");
  ExpectStatement("memset(s, 'q', n);", "[n] -> { S0[i] : 0 <= i < n }", "[n] -> { S0[i] -> s[i] }", "113");
}

TEST(ElementLoop, CopiesMemory) {
  ExpectStatement("memcpy(a, b + 1, n * sizeof *a);", "[n] -> { S0[i] : 0 <= i < n }",
                  "[n] -> { S0[i] -> a[i] }", "b[1 + tune_at]");
  ExpectStatement("memcpy(u, t, sizeof u);", "{ S0[i, j] : 0 <= i < 9 and 0 <= j < 7 }",
                  "{ S0[i, j] -> u[i, j] }", "t[tune_at, tune_at_1]");
}

TEST(ElementLoop, LeavesOtherCalls) {
  for (const char* body :
       {"memset(a, 1, n * sizeof *a);", "memset(a, 0, n);", "memset(ps, 0, n * sizeof *ps);",
        "memcpy(a, c, n * sizeof *a);", "memcpy(u, a, sizeof u);", "memset(s, k[0], n);",
        "memset(t, 0, 9 * n * 8);", "memmove(a, b, n * sizeof *a);"}) {
    EXPECT_THAT(Problems(Extract(Function(kMemoryHead, body))), HasSubstr("a call of `mem")) << body;
  }
}

// An array keeps the length that it had when it was declared.
TEST(ElementLoop, LeavesArraysWhoseLengthsChange) {
  const auto problems = [](const std::string& head, const std::string& body) {
    return Problems(
        Extract(absl::StrCat("#include <string.h>\nvoid g(int *);\nint k[2];\nvoid f(int n, double *b) {\n",
                             head, "\n#pragma scop\n", body, "\n#pragma endscop\n}\n")));
  };
  const std::string array = "double A[n][n];", rows = "double (*p)[n] = (double (*)[n])b;";
  EXPECT_EQ(problems(array, "memset(A, 0, sizeof A);"), "");
  EXPECT_EQ(problems("const int h = 4; double A[h];", "memset(A, 0, sizeof A);"), "");
  EXPECT_EQ(problems(rows, "memset(p, 0, 3 * sizeof *p);"), "");
  for (const char* change : {"n = n / 2;", "n++;", "g(&n);"}) {
    EXPECT_THAT(problems(array + change, "memset(A, 0, sizeof A);"), HasSubstr("a call of `memset`"))
        << change;
    EXPECT_THAT(problems(rows + change, "memset(p, 0, 3 * sizeof *p);"), HasSubstr("a call of `memset`"))
        << change;
  }
  EXPECT_THAT(problems("double A[k[0]];", "memset(A, 0, sizeof A);"), HasSubstr("a call of `memset`"));
}

// In C the number of bytes is positive where two factors are negative.
TEST(ElementLoop, IsForFactorsThatAreNotNegative) {
  for (const char* body : {"memset(a, 0, n * m * sizeof *a);", "memcpy(a, b, (size_t)n * m * sizeof *a);",
                           "for (int i = 0; i < 5; i++) memset(a, 0, (n - i) * m * sizeof *a);"}) {
    const v1::Scop scop = ScopOf(kMemoryHead, body);
    IslContext context;
    const isl::set negative(context.ctx(), "[n, m] -> { : n < 0 and m < 0 }");
    const isl::set sizes(context.ctx(), "[n, m] -> { : n > 4 and m >= 0 }");
    EXPECT_TRUE(isl::set(context.ctx(), scop.context()).is_disjoint(negative)) << body << scop.context();
    EXPECT_TRUE(sizes.is_subset(isl::set(context.ctx(), scop.context()))) << body << scop.context();
  }
}

// Rows are what subscripts say; loops over products see none.
TEST(ElementLoop, LooksAtArraysAsTheRegionDoes) {
  const std::string cleared = "memset(a, 0, n * m * sizeof *a); ";
  const auto domain = [&](const std::string& call, const std::string& rest) {
    return ScopOf(kMemoryHead, call + rest).statements(0).domain();
  };
  const std::string columns = "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) a[j * n + i] += b[i];";
  EXPECT_TRUE(SameSet(domain(cleared, columns), "[n, m] -> { S0[i, j] : 0 <= i < m and 0 <= j < n }"));
  EXPECT_TRUE(SameSet(domain("memcpy(a + n, b, n * m * sizeof *a);", columns),
                      "[n, m] -> { S0[i, j] : 0 <= i < m and 0 <= j < n }"));
  const std::string all = "for (int i = 0; i < m * n; i++) a[i] += b[i];";
  EXPECT_TRUE(
      SameSet(domain(cleared, all), "[n, m, tune_product_n_m] -> { S0[i] : 0 <= i < tune_product_n_m }"));
}

// Products of unsigned ints wrap around.
TEST(ElementLoop, TakesNarrowProductsAsTheyAre) {
  const v1::Scop scop = ScopOf("#include <string.h>\nvoid f(unsigned n, unsigned m, double *a)",
                               "memset(a, 0, n * m * sizeof *a);");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(),
                      "[n, m, tune_product_n_m] -> { S0[i] : 0 <= i < tune_product_n_m }"));
}

// Rows are as long as another build says.
TEST(ElementLoop, RelyOnSizesOfRows) {
  const v1::Scop scop = ScopOf(kMemoryHead, "memcpy(u, t, 504);");
  std::vector<std::string> meanings;
  for (const v1::Meaning& meaning : scop.meanings())
    meanings.push_back(meaning.text() + " " + meaning.value());
  EXPECT_THAT(meanings, ::testing::IsSupersetOf({"sizeof(u[0]) 56", "sizeof(t[0]) 56"}));
}

TEST(ElementLoop, FillsAndCopiesInCpp) {
  const v1::Scop scop =
      CppScopOf("#include <algorithm>\nvoid f(int n, double *a, double *b, double x)",
                "std::fill(a, a + n, x); std::fill_n(b, n, 2); std::copy(a + 1, a + n, b + 3);");
  ASSERT_EQ(scop.statements_size(), 3);
  EXPECT_EQ(ValueText(scop.statements(0)), "x[]");
  EXPECT_TRUE(SameMap(scop.statements(2).accesses(1).relation(), "[n] -> { S2[i] -> b[i + 2] }"));
  EXPECT_THAT(Problems(ExtractCpp(Function("#include <algorithm>\nvoid f(int n, double *a, double *b)",
                                           "std::fill(a, a + n, b[0] + 1);"))),
              HasSubstr("fill"));
}

}  // namespace
}  // namespace tune::testing
