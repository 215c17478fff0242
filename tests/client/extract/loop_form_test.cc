// Loops of all kinds as the same sets and orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;

constexpr char kLoopHead[] = "void f(int n, int m, double A[1000], double B[1000])";

// The same loop in other words: the same instances in the same order.
void ExpectSameLoops(const std::string& body, const std::string& usual) {
  const v1::Scop scop = ScopOf(kLoopHead, body), expected = ScopOf(kLoopHead, usual);
  ASSERT_EQ(scop.statements_size(), expected.statements_size()) << body;
  for (int i = 0; i < scop.statements_size(); ++i) {
    EXPECT_TRUE(SameSet(scop.statements(i).domain(), expected.statements(i).domain())) << body;
    EXPECT_EQ(StatementText(scop.statements(i)), StatementText(expected.statements(i))) << body;
  }
  EXPECT_TRUE(SameSchedule(scop.schedule(), expected.schedule())) << body;
  EXPECT_TRUE(SameSet(scop.context(), expected.context())) << body;
}

TEST(LoopForm, OfWhileIsThatOfFor) {
  const std::string usual = "for (int i = 2; i < n; i += 3) A[i] = 1;";
  ExpectSameLoops("int i = 2; while (i < n) { A[i] = 1; i += 3; }", usual);
  ExpectSameLoops("int i = 2; while (1) { if (i >= n) break; A[i] = 1; i = i + 3; }", usual);
  ExpectSameLoops("int i = 2; for (;;) { if (!(i < n)) { break; } A[i] = 1; i += 3; }", usual);
  ExpectSameLoops("for (int i = 2;; i += 3) { if (i >= n) break; A[i] = 1; }", usual);
  ExpectSameLoops("for (int i = 2; i < n;) { A[i] = 1; i += 3; }", usual);
  ExpectSameLoops("int i = 2; for (; i < n; i += 3) A[i] = 1;", usual);
}

TEST(LoopForm, MaySetAndStepMoreThanItsIterator) {
  const std::string usual = "for (int i = 0; i < n; i++) A[i] = B[2 * i + 1];";
  ExpectSameLoops("for (int i = 0, j = 1; i < n; i++, j += 2) A[i] = B[j];", usual);
  ExpectSameLoops("int i, j; for (j = 1, i = 0; i < n; j += 2, ++i) A[i] = B[j];", usual);
  ExpectSameLoops("int j = 1; for (int i = 0; i < n; i++) { A[i] = B[j]; j += 2; }", usual);
}

TEST(LoopForm, BoundsMayCountDown) {
  ExpectSameLoops("int i = n; while (i > m) { A[i] = 0; i--; }", "for (int i = n; i > m; i--) A[i] = 0;");
  ExpectSameLoops("do { A[n] = 0; } while (0);", "A[n] = 0;");
}

TEST(LoopForm, StepsMayStandBeforeTheBody) {
  const std::string usual = "for (int i = n - 1; i >= m; i--) A[i] = i;";
  ExpectSameLoops("int i = n; while (i-- > m) A[i] = i;", usual);
  ExpectSameLoops("int i = n; while (--i >= m) A[i] = i;", usual);
  ExpectSameLoops("int i = n; while (i > m) { i--; A[i] = i; }", usual);
  ExpectSameLoops("for (int i = n; i-- > m;) A[i] = i;", usual);
  ExpectSameLoops("int i = n; for (;;) { if (i-- <= m) break; A[i] = i; }", usual);
  ExpectSameLoops("int i = n; while (i-- > m) { if (i == 5) continue; A[i] = i; }",
                  "for (int i = n - 1; i >= m; i--) if (i != 5) A[i] = i;");
  ExpectSameLoops("for (unsigned i = 9; i-- > 0;) A[i] = 1;", "for (int i = 8; i >= 0; i--) A[i] = 1;");
  ExpectSameLoops("int i = 9; while (i--) A[i] = 1; A[i + 1] = 3;",
                  "for (int i = 8; i >= 0; i--) A[i] = 1; A[0] = 3;");
  ExpectSameLoops("int i = 9; while (--i) A[i] = 1; A[i] = 3;",
                  "for (int i = 8; i > 0; i--) A[i] = 1; A[0] = 3;");
}

TEST(LoopForm, OfDoHasOneIterationAtLeast) {
  const std::string usual = "for (int i = 2; i == 2 || i < n; i += 3) A[i] = i;";
  ExpectSameLoops("int i = 2; do { A[i] = i; i += 3; } while (i < n);", usual);
  ExpectSameLoops("int i = -1; do { i += 3; A[i] = i; } while (i < n - 3);", usual);
  ExpectSameLoops("int i = 9; do A[i] = 1; while (--i > m); B[i] = 2;",
                  "for (int i = 9; i == 9 || i > m; i--) A[i] = 1; B[m < 8 ? m : 8] = 2;");
}

TEST(LoopForm, StepsMayBeOfParametersThatTheFileTells) {
  const std::string head = "static const char unused = 1;\nint by = 3; void f(int n, double A[1000])";
  const v1::Scop scop = ScopOf(head, "for (int i = 0; i < n; i += by) A[i] = 1;");
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "[n, by] -> { S0[i] : 0 <= i < n and i mod 3 = 0 }"));
  EXPECT_TRUE(SameSet(scop.context(), "[n, by] -> { : by = 3 }"));
}

TEST(LoopForm, IteratorIsKnownBehindTheLoop) {
  ExpectSameLoops("int i = 0; while (i < n) { A[i] = 1; i += 2; } while (i < m) { B[i] = 1; i++; }",
                  "for (int i = 0; i < n; i += 2) A[i] = 1;"
                  "for (int i = n <= 0 ? 0 : (n + 1) / 2 * 2; i < m; i++) B[i] = 1;");
}

TEST(LoopForm, DataMayDecideInside) {
  const v1::Scop scop = ScopOf(kLoopHead, "int i = 0; while (i < n) { if (A[i] > 0) B[i] = 1; i++; }");
  std::vector<std::string> texts;
  for (const v1::Statement& statement : scop.statements()) texts.push_back(StatementText(statement));
  EXPECT_THAT(texts, ElementsAre("B[i] = ((A[i] > 0) ? (double)1 : B[i])"));
}

}  // namespace
}  // namespace tune::testing
