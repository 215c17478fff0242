// Integers that a region sets to affine expressions again and again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
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

// Two variables that a condition compares: the loop ends where they meet.
TEST(DerivedIndex, MayEndALoop) {
  EXPECT_TRUE(SameMap(RelationOf("int i; for (i = 0, j = n - 1; i < j; i++, j--) A[j] = A[i];"),
                      "[n] -> { S0[i] -> A[n - 1 - i] }"));
  const v1::Scop scop = ScopOf(kHead, "for (int i = 0, j = n - 1; i < j; i++, j--) A[j] = A[i];");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "[n] -> { S0[i] : i >= 0 and 2i < n - 1 }"));
  const v1::Scop steps = ScopOf(kHead, "for (int i = n, j = 3; j <= i; i -= 2) { A[j] = 0; j += 4; }");
  EXPECT_TRUE(SameSet(steps.statements(0).domain(),
                      "[n] -> { S0[i] : exists (k : k >= 0 and i = n - 2k and 3 + 4k <= i) }"));
  EXPECT_THAT(Problems(Extract(Function(
                  kHead, "for (int i = 0, j = n - 1; i < j; i++) { A[j] = A[i]; if (K[i] > 0) j--; }"))),
              HasSubstr("not an affine expression"));
  EXPECT_THAT(Problems(Extract(Function(kHead, "for (int i = 0, j = n; i < j; i++, j -= i) A[j] = A[i];"))),
              HasSubstr("uses its iterator behind the step"));
}

TEST(DerivedIndex, AdvancesInLoopsInside) {
  EXPECT_TRUE(
      SameMap(RelationOf("int k = 2; for (int i = 0; i < 9; i++) { for (int l = 8; l > 0; l -= 2) { k++; "
                         "A[k] = 0; k++; } k--; }"),
              "[n] -> { S1[i, l] -> A[a] : a = 3 + 7i + 8 - l }"));
}

TEST(DerivedIndex, IsKnownBehindAChoice) {
  EXPECT_TRUE(
      SameMap(RelationOf("for (int i = 0; i < 9; i++) { j = 2; if (i > 5) { j = i; } else if (i < 3) j += n; "
                         "A[j] = 0; }"),
              "[n] -> { S0[i] -> A[i] : i > 5; S0[i] -> A[2 + n] : i < 3; S0[i] -> A[2] : 3 <= i <= 5 }"));
  EXPECT_THAT(Problems(Extract(Function(kHead, "int j = 0; if (K[3] > 0) j = 2; A[j] = 0;"))),
              HasSubstr("the subscript is not an affine expression"));
}

TEST(DerivedIndex, AdvancesByOneAmountOnAllWays) {
  EXPECT_TRUE(
      SameMap(RelationOf("j = -1; for (int i = 0; i < 9; i++) { if (K[i] > 0) { j++; A[j] = 1; } else { j++; "
                         "} A[j] = 0; }"),
              "[n] -> { S1[i] -> A[i] }"));
  EXPECT_TRUE(
      SameMap(RelationOf("j = -1; for (int i = 0; i < 9; i++) { int k = j + 1; const int t = k; j = t + 1; "
                         "A[k] = 0; }"),
              "[n] -> { S0[i] -> A[2i] }"));
}

TEST(DerivedIndex, MayBeWhatTheLastIterationMadeIt) {
  EXPECT_TRUE(
      SameMap(RelationOf("int k = n + 1; j = n; for (int i = 3; i < 90; i += 2) { A[k] = 0; k = j; j = i; }"),
              "[n] -> { S0[i] -> A[n + 1] : i = 3; S0[i] -> A[n] : i = 5; S0[i] -> A[i - 4] : i >= 7 }"));
}

TEST(DerivedIndex, IsKnownBehindTheLoop) {
  EXPECT_TRUE(SameMap(RelationOf("int k = 1; for (int i = 0; i < n; i += 2) k += 3; A[k] = 0;"),
                      "[n] -> { S1[] -> A[a] : n <= 0 and a = 1; S1[] -> A[a] : n > 0 and a = 1 + 3 * "
                      "floor((n + 1)/2) }"));
}

TEST(DerivedIndex, MayAdvanceByWhatTheFileTells) {
  const char* const kText =
      "static void f(int n, int s, double *restrict A) {\n#pragma scop\nfor (int i = 0, k = 1; i < n; i++, k "
      "+= s) "
      "A[k] = 0;\n#pragma endscop\n}\n";
  const v1::Extraction known = Extract(absl::StrCat(kText, "void g(double *A) { int by = 4; f(9, by, A); }"));
  ASSERT_EQ(Problems(known), "");
  EXPECT_TRUE(
      SameMap(known.scops(0).statements(0).accesses(0).relation(), "[n, s] -> { S0[i] -> A[1 + 4i] }"));
  EXPECT_TRUE(SameSet(known.scops(0).context(), "[n, s] -> { : s = 4 }"));
  EXPECT_THAT(Problems(Extract(absl::StrCat(kText, "void g(double *A) { f(9, 1, A); f(9, 2, A); }"))),
              HasSubstr("`k` is written inside the region"));
}

TEST(DerivedIndex, IsRefusedWhereItIsNotKnown) {
  for (const char* body : {"k = 0; j = 1; for (int i = 0; i < 9; i++) { A[k] = 0; k += j; j = 3; }",
                           "k = 0; for (int i = 0; i < 9; i++) for (j = i; j < 9; j++) { A[k] = 0; k++; }",
                           "k = 0; for (int i = 0; i < 9; i++) { A[k] = 0; k += n; }",
                           "for (int i = 0; i < 9; i++) { if (i > 3) j = 2; A[j] = 0; }"}) {
    EXPECT_THAT(Problems(Extract(Function(kHead, std::string("int j = 0, k;\n") + body))),
                HasSubstr("the subscript is not an affine expression"))
        << body;
  }
}

TEST(DerivedIndex, IsKnownInALoopThatEndsEarly) {
  EXPECT_TRUE(
      SameMap(RelationOf("j = 0; for (int i = 0; i < n; i++) { if (i > 7) break; A[j] = 0; j += 3; }"),
              "[n] -> { S0[i] -> A[3i] }"));
  for (const char* body :
       {"k = 0; for (int i = 0; i < n; i++) { if (i > 7) { k = 2; break; } A[k] = 0; k++; }",
        "k = 0; for (int i = 0; i < n; i++) { if (i > 7) break; k++; } A[k] = 0;"}) {
    EXPECT_THAT(Problems(Extract(Function(kHead, std::string("int k;\n") + body))),
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
