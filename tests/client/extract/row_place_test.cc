// Pointers into the rows of arrays, which they may leave for the next ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kRowHead[] = "void f(int n, int m, int k, double A[n][m], double B[40][7], double C[n][4][m])";

// Of the last access of the only statement, which writes.
std::string Written(const std::string& body) {
  const v1::Scop scop = ScopOf(kRowHead, body);
  return scop.statements_size() == 1 ? scop.statements(0).accesses().rbegin()->relation() : "";
}

TEST(RowPlace, WalksGoFromRowToRow) {
  EXPECT_TRUE(SameMap(Written("double *p = &A[0][0]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
                              "*p++ = 1;"),
                      "[n, m] -> { S0[i, j] -> A[i, j] }"));
  EXPECT_TRUE(SameMap(Written("double *p = B[2]; for (int i = 0; i < n; i++) for (int j = 0; j < 7; j++) "
                              "*p++ = 1;"),
                      "[n] -> { S0[i, j] -> B[i + 2, j] }"));
  EXPECT_TRUE(SameMap(Written("double *p = &B[39][6]; for (int i = 0; i < n; i++) { for (int j = 0; j < 5; "
                              "j++) *p-- = 1; p -= 2; }"),
                      "[n] -> { S0[i, j] -> B[39 - i, 6 - j] }"));
  EXPECT_TRUE(SameMap(Written("double *p = &C[0][0][0]; for (int i = 0; i < n; i++) for (int l = 0; l < 4; "
                              "l++) for (int j = 0; j < m; j++) *p++ = 1;"),
                      "[n, m] -> { S0[i, l, j] -> C[i, l, j] }"));
}

TEST(RowPlace, DistancesMayBeWholeRows) {
  EXPECT_TRUE(SameMap(Written("for (int i = 0; i < n - 1; i++) { double *row = A[i]; for (int j = 0; j < m; "
                              "j++) row[m + j] = 1; }"),
                      "[n, m] -> { S0[i, j] -> A[i + 1, j] }"));
  EXPECT_TRUE(
      SameMap(Written("for (int i = 1; i < 40; i++) for (int j = 0; j < 7; j++) *(B[i] + j - 7) = 1;"),
              "{ S0[i, j] -> B[i - 1, j] }"));
  EXPECT_TRUE(SameMap(Written("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) (&A[0][0])[i * m + j] "
                              "= 1;"),
                      "[n, m] -> { S0[i, j] -> A[i, j] }"));
}

TEST(RowPlace, PartsOfRowsStayInside) {
  EXPECT_TRUE(SameMap(Written("for (int i = 0; i < n; i++) { double *row = A[i]; for (int j = 0; j < k; j++) "
                              "row[j] = 1; }"),
                      "[n, m, k] -> { S0[i, j] -> A[i, j] }"));
}

TEST(RowPlace, LengthsNeedNotBeInTheRegion) {
  const v1::Scop scop = ScopOf("void f(int n, int m, double (*A)[m])",
                               "for (int i = 0; i < n; i++) { double *row = &A[i][1]; row[0] = 1; }");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n, m] -> { S0[i] -> A[i, 1] }"));
  EXPECT_EQ(scop.parameters_size(), 2);
}

TEST(RowPlace, IsRefusedWhereTheRowIsNotKnown) {
  for (const char* body : {"double *p = &B[0][0]; for (int i = 0; i < 280; i++) *p++ = 1;",
                           "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) (&A[i][0])[j - 1] = 1;"})
    EXPECT_THAT(Problems(Extract(Function(kRowHead, body))), HasSubstr("a subscript that leaves its row"))
        << body;
}

}  // namespace
}  // namespace tune::testing
