// Loops that a `break` ends early, as sets of iterations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

// Of the only statement behind the `break` and of the one before it.
void ExpectDomains(const std::string& loop, const std::string& before, const std::string& behind) {
  const v1::Scop scop = ScopOf("void f(int n, int m, double A[1000])", loop);
  ASSERT_EQ(scop.statements_size(), 2) << loop;
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), before)) << loop;
  EXPECT_TRUE(SameSet(scop.statements(1).domain(), behind)) << loop;
}

TEST(AffineBreak, EndsALoop) {
  ExpectDomains("for (int i = 0; i < n; i++) { A[i] = 1; if (i == m) break; A[i] = 2; }",
                "[n, m] -> { S0[i] : 0 <= i < n and (m < 0 or i <= m) }",
                "[n, m] -> { S1[i] : 0 <= i < n and (m < 0 or i < m) }");
  ExpectDomains("for (int i = n; i >= 0; i -= 2) { A[i] = 1; if (i < m) { break; } A[i] = 2; }",
                "[n, m] -> { S0[i] : 0 <= i <= n and (n - i) mod 2 = 0 and (i >= m - 2 or i = n) }",
                "[n, m] -> { S1[i] : 0 <= i <= n and (n - i) mod 2 = 0 and i >= m }");
}

// The first one that is reached does, whatever holds later.
TEST(AffineBreak, StandsBehindOthers) {
  ExpectDomains(
      "for (int i = 0; i < n; i++) { A[i] = 1; if (i < 9) continue; if (i % 4 == 2) break; A[i] = 2; }",
      "[n] -> { S0[i] : 0 <= i < n and i <= 10 }", "[n] -> { S1[9] : n > 9 }");
}

TEST(AffineBreak, IsOfItsOwnLoop) {
  ExpectDomains(
      "for (int i = 0; i < n; i++) { A[i] = 1; for (int j = 0; j < m; j++) { if (j == i) break; A[j] = 2; } "
      "}",
      "[n, m] -> { S0[i] : 0 <= i < n }", "[n, m] -> { S1[i, j] : 0 <= i < n and 0 <= j < m and j < i }");
}

TEST(AffineBreak, SaysWhatTheIteratorIsBehindTheLoop) {
  const v1::Scop scop = ScopOf("void f(int n, int m, double A[1000])",
                               "int i; for (i = 3; i < 50; i++) { if (i == m) break; A[i] = 1; } A[i] = 2;");
  ASSERT_EQ(scop.statements_size(), 2);
  EXPECT_TRUE(SameMap(scop.statements(1).accesses(0).relation(),
                      "[m] -> { S1[] -> A[m] : 3 <= m < 50; S1[] -> A[50] : m < 3 or m >= 50 }"));
}

}  // namespace
}  // namespace tune::testing
