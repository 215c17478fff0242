// Matrices of variable lengths as arguments of called functions, and pointers to their rows.
#include "client/extract/pointers/matrix_argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kMatricesHead[] =
    "static void clear(int n, int m, double a[n][m]) { for (int i = 0; i < n; i++)\n"
    "  for (int j = 0; j < m; j++) a[i][j] = 0; }\n"
    "static double at(int m, double (*a)[m], int i) { return a[i][m - 1]; }\n"
    "static void planes(int n, double a[n][n][n]) { clear(n, n, a[1]); }\n"
    "static void later(int n, double a[n][n]) { n = n - 1; for (int i = 0; i < n; i++) a[i][i] = 1; }\n"
    "static void moving(int n, volatile double a[n][n]) { a[0][0] = 1; }\n"
    "void f(int n, int m, int k, double A[n][m], double B[k][k], double C[4][5], double D[n][n][n])";

v1::Extraction ReadMatrices(const std::string& body) { return Extract(Function(kMatricesHead, body)); }

std::vector<std::string> StatementsOfMatrices(const std::string& body) {
  const v1::Extraction extraction = ReadMatrices(body);
  EXPECT_EQ(Problems(extraction), "") << body;
  std::vector<std::string> texts;
  if (extraction.scops_size() != 1) return texts;
  for (const v1::Statement& statement : extraction.scops(0).statements())
    texts.push_back(StatementText(statement));
  return texts;
}

TEST(MatrixArgument, IsTheArrayOfTheRegion) {
  EXPECT_THAT(StatementsOfMatrices("clear(n, m, A);"), ElementsAre("A[i, j] = 0"));
  EXPECT_THAT(StatementsOfMatrices("clear(n - 1, m, A);"), ElementsAre("A[i, j] = 0"));
  EXPECT_THAT(StatementsOfMatrices("clear(k, k, B);"), ElementsAre("B[i, j] = 0"));
  EXPECT_THAT(StatementsOfMatrices("clear(4, 5, C);"), ElementsAre("C[i, j] = 0"));
  EXPECT_THAT(StatementsOfMatrices("for (int i = 0; i < n; i++) A[i][0] = at(m, A, i);"),
              ElementsAre("A[i, 0] = A[i, -1 + m]"));
}

TEST(MatrixArgument, MayBeAPartOrGoOn) {
  EXPECT_THAT(StatementsOfMatrices("for (int p = 0; p < n; p++) clear(n, n, D[p]);"),
              ElementsAre("D[p, i, j] = 0"));
  EXPECT_THAT(StatementsOfMatrices("double (*rows)[m] = A; clear(n, m, rows);"), ElementsAre("A[i, j] = 0"));
}

TEST(MatrixArgument, RowsOfOtherLengthsAreRefused) {
  for (const char* body : {
           // Another length; one that is not known; of a parameter that is a part itself; volatile.
           "clear(n, n, A);",
           "clear(n, m - 1, A);",
           "clear(4, n, C);",
           "for (int l = 1; l < m; l++) clear(n, l, A);",
           "planes(n, D);",
           "later(k, B);",
           "moving(k, B);",
       }) {
    const v1::Extraction extraction = ReadMatrices(body);
    EXPECT_EQ(extraction.scops_size(), 0) << body;
    EXPECT_GT(extraction.diagnostics_size(), 0) << body;
  }
  EXPECT_THAT(Problems(ReadMatrices("clear(n, n, A);")),
              HasSubstr("rows that may have other lengths than the array that they are of"));
}

TEST(MatrixArgument, LengthsAreThoseOfTheDeclaration) {
  const std::string head =
      "static void one(int n, double a[n][n]) { for (int i = 0; i < n; i++) a[i][i] = 1; }\nvoid f(int n, "
      "double A[n][n])";
  EXPECT_EQ(Problems(Extract(Function(head, "one(n, A);"))), "");
  // Rows are longer than n says now.
  EXPECT_NE(Problems(Extract(head + " {\nn = n / 2;\n#pragma scop\none(n, A);\n#pragma endscop\n}\n")), "");
}

TEST(PointerCast, ToItsOwnTypeChangesNothing) {
  const std::string head =
      "static void set(double *to) { *to = 1; }\nvoid f(int n, double A[100], const double *b)";
  EXPECT_EQ(Problems(Extract(Function(head, "for (int i = 0; i < n; i++) set((double *)&A[i]);"))), "");
  EXPECT_THAT(Problems(Extract(Function(head, "for (int i = 0; i < n; i++) ((float *)A)[i] = 1;"))),
              HasSubstr("the type of a pointer is changed by a cast"));
  EXPECT_NE(Problems(Extract(Function(head, "for (int i = 0; i < n; i++) ((double *)b)[i] = 1;"))), "");
}

}  // namespace
}  // namespace tune::testing
