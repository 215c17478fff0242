// Integers that a region sets to affine expressions again and again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kHead[] = "void f(int n, double A[1000], int K[100], double x)";

// Of the last access of the last statement.
std::string RelationOf(const std::string& body) {
  const v1::Scop scop = ScopOf(kHead, "int j;\n" + body);
  if (scop.statements_size() == 0) return "";
  return scop.statements(scop.statements_size() - 1).accesses().rbegin()->relation();
}

TEST(DerivedIndex, IsWhatWasAssignedLast) {
  EXPECT_TRUE(SameMap(
      RelationOf("for (int i = 0; i < 9; i++) { int k = 0; j = i + 1; k = 2 * j; j = 7; A[k + j] = 0; }"),
      "[n] -> { S0[i] -> A[2i + 9] }"));
  EXPECT_TRUE(SameMap(RelationOf("for (int i = 0; i < 9; i++) { j = i; { j += 3; j--; } A[j] = 0; }"),
                      "[n] -> { S0[i] -> A[i + 2] }"));
}

TEST(DerivedIndex, FollowsTheIterator) {
  EXPECT_TRUE(SameMap(RelationOf("j = -1; for (int i = 2; i < 90; i += 3) { j++; A[j] = 0; }"),
                      "[n] -> { S0[i] -> A[a] : 3a = i - 2 }"));
  EXPECT_TRUE(SameMap(RelationOf("j = 5; for (int i = 20; i > 2; i -= 2) { A[j] = 0; j += 4; }"),
                      "[n] -> { S0[i] -> A[a] : a = 5 + 2 * (20 - i) }"));
}

TEST(DerivedIndex, IsRefusedWhereItIsNotKnown) {
  for (const char* body : {"k = 0; for (int i = 0; i < 9; i++) { if (K[i] > 0) { A[k] = 0; k++; } }",
                           "k = 0; j = 1; for (int i = 0; i < 9; i++) { A[k] = 0; k += j; j = 3; }",
                           "k = 0; for (int i = 0; i < n; i++) k++; A[k] = 0;",
                           "k = 0; for (int i = 0; i < 9; i++) { if (K[i]) continue; A[k] = 0; k++; }",
                           "for (int i = 0; i < 9; i++) { if (i > 3) j = 2; A[j] = 0; }",
                           "for (int i = 0; i < 9; i++) { A[j] = 0; j = i; }"}) {
    EXPECT_THAT(Problems(Extract(Function(kHead, std::string("int j = 0, k;\n") + body))),
                HasSubstr("the subscript is not an affine expression"))
        << body;
  }
}

TEST(DerivedIndex, StaysAVariableWhereItsValueIsReadBehind) {
  EXPECT_THAT(
      Problems(Extract(
          "int f(double A[10]) { int j;\n#pragma scop\nfor (int i = 0; i < 9; i++) { j = i + 1; A[j] = 0; }"
          "\n#pragma endscop\nreturn j; }")),
      HasSubstr("`j` is written inside the region"));
}

TEST(DerivedIndex, DataStayData) {
  const v1::Scop scop =
      ScopOf(kHead, "int t = 0; for (int i = 0; i < n; i++) { t = K[i]; if (t > 3) A[i] = t; }");
  EXPECT_EQ(StatementText(scop.statements(1)), "t[] = K[i]");
}

}  // namespace
}  // namespace tune::testing
