// Integers and pointers that advance through nests whose inner loops have a number of iterations that only
// the running program knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kNestHead[] =
    "void f(int n, int m, int l, float *restrict a, const float *restrict b, int k[100])";

// Of the last access of the only statement, which writes.
std::string WriteRelation(const std::string& body) {
  const v1::Scop scop = ScopOf(kNestHead, body);
  return scop.statements_size() == 1 ? scop.statements(0).accesses().rbegin()->relation() : "";
}

std::string ProblemsOf(const std::string& body) { return Problems(Extract(Function(kNestHead, body))); }

TEST(NestWalks, AreRowsOfAMatrix) {
  EXPECT_TRUE(SameMap(WriteRelation("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) *a++ = *b++;"),
                      "[n, m] -> { S0[i, j] -> a[i, j] }"));
  EXPECT_TRUE(SameMap(
      WriteRelation("int at = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[at++] = 1;"),
      "[n, m] -> { S0[i, j] -> a[i, j] }"));
  EXPECT_TRUE(
      SameMap(WriteRelation("float *p = a; for (int i = 1; i <= n; i++) for (int j = 0; j < m; j++, p++) "
                            "for (int c = 0; c < l; ++c) { *p++ = b[c]; p--; }"),
              "[n, l, m] -> { S0[i, j, c] -> a[i - 1, j] }"));
}

TEST(NestWalks, MayLeaveOutWhatIsBehindARow) {
  EXPECT_TRUE(SameMap(
      WriteRelation("for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { *a = 1; a++; } a += l; }"),
      "[n, l, m] -> { S0[i, j] -> a[i, j] }"));
}

TEST(NestWalks, MayBeginInEachIterationAgain) {
  EXPECT_TRUE(SameMap(WriteRelation("for (int t = 0; t < 3; t++) { float *p = a; for (int i = 0; i < n; i++) "
                                    "for (int j = m; j > 0; j--) *p++ += t; }"),
                      "[n, m] -> { S0[t, i, j] -> a[i, m - j] }"));
}

TEST(NestWalks, AreRefusedWhereTheirPlaceIsNotKnown) {
  for (const char* body :
       {"for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) *a++ = 1; *a = 2; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) *a++ = 1;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { if (k[j] > 0) continue; *a++ = 1; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (k[j] > 0) *a++ = 1;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) *a++ = 1; for (int i = 0; i < n; i++) *a++ "
        "= 2;"})
    EXPECT_THAT(ProblemsOf(body), HasSubstr("not an affine expression")) << body;
}

TEST(NestWalks, AreRefusedWhereTheValueIsReadBehindTheRegion) {
  constexpr char kNest[] =
      "#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[k++] = i;\n#pragma endscop\n";
  const auto problems = [&](const std::string& before, const std::string& behind) {
    return Problems(Extract(absl::StrCat("int f(int n, int m, float *restrict a) {\nint k = 0;\n", before,
                                         kNest, behind, "}\n")));
  };
  EXPECT_EQ(problems("", "return 0;\n"), "");
  EXPECT_NE(problems("", "return k;\n"), "");
  EXPECT_NE(problems("for (int t = 0; t < 3; t++) {\n", "}\nreturn 0;\n"), "");
  EXPECT_EQ(problems("for (int t = 0; t < 3; t++) {\nk = 0;\n", "}\nreturn 0;\n"), "");
}

}  // namespace
}  // namespace tune::testing
