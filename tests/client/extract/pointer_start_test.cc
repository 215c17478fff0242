// Pointers that are compared with the end of what they walk along.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kWalkHead[] =
    "void f(int n, int m, int k[100], double *restrict a, const double *restrict b, void *v)";

// Of the only statement.
std::string DomainOf(const std::string& body) {
  const v1::Scop scop = ScopOf(kWalkHead, body);
  return scop.statements_size() == 1 ? scop.statements(0).domain() : "";
}

std::string ProblemsOfWalk(const std::string& body) { return Problems(Extract(Function(kWalkHead, body))); }

TEST(PointerStart, EndsOfWalksAreDistances) {
  for (const char* body : {
           "double *p = a; while (p < a + n) { *p = 1; p++; }",
           "double *p = a; while (p < a + n) *p++ = 1;",
           "double *p = a, *end = a + n; while (p < end) *p++ = 1;",
           "double *p; p = a; while (a + n > p) *p++ = 1;",
           "double *p = a; while (p - a < n) *p++ = 1;",
           "for (double *p = a; p < &a[n]; p++) *p = 1;",
           "switch (m) { case 1: for (double *p = a; p < a + n; p++) *p = 1; }",
       })
    EXPECT_EQ(ProblemsOfWalk(body), "") << body;
  EXPECT_TRUE(
      SameSet(DomainOf("double *p = a; while (p < a + n) *p++ = 1;"), "[n] -> { S0[p] : 0 <= p < n }"));
  EXPECT_TRUE(SameSet(DomainOf("double *p = a + 3; while (p < a + n) *p++ = 1;"),
                      "[n] -> { S0[p] : 0 <= p < n - 3 }"));
  EXPECT_TRUE(SameSet(DomainOf("double *p = &a[m]; while (p - a < n) { *p = 1; p += 2; }"),
                      "[n, m] -> { S0[p] : 0 <= p < n - m and p mod 2 = 0 }"));
}

TEST(PointerStart, IsRefusedWhereThePointerMayHaveBegunElsewhere) {
  for (const char* body : {
           "double *p = a; while (p < b + n) *p++ = 1;",
           "double *p = a; if (k[0] > 0) p = a + 1; while (p < a + n) *p++ = 1;",
           "double *p = a; for (int i = 0; i < m; i++) { while (p < a + n) *p++ = 1; p = a + 1; }",
           "double *p = a + 1; if (n > 3) { p = a; } else { while (p < a + n) *p++ = 2; }",
           "double *p = a + 1; switch (n) { case 3: p = a; case 4: while (p < a + n) *p++ = 2; }",
           "double *p = a; for (int i = 0; i < 3; i++, p = a + 1) while (p < a + n) *p++ = i;",
           "double *p = a + k[0]; while (p < a + n) *p++ = 1;",
           "double *p = v; while (p < v + n) *p++ = 1;",
           "double *p; while (p < a + n) *p++ = 1;",
           "double *q = a; q += 3; double *p = a + (q - a); q += m; while (p < a + n) *p++ = 1;",
           "double *q = a; q += 3; double *p = &a[q - a]; q += m; while (p < a + n) *p++ = 1;",
           "double *q = a, *p = a; q += 3; double *end = a + (q - a); q += m; while (p < end) *p++ = 1;",
       })
    EXPECT_NE(ProblemsOfWalk(body), "") << body;
}

TEST(PointerStart, OthersAreNamed) {
  EXPECT_THAT(ProblemsOfWalk("double *p = a; while (p < b + n) *p++ = 1;"),
              HasSubstr("how far these pointers are apart is not known"));
}

}  // namespace
}  // namespace tune::testing
