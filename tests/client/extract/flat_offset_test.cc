// Arrays in one dimension that stand for several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

constexpr char kFlatHead[] = "void f(int n, int m, int t, double *restrict a, double b[100])";

// "a[n][m]" without the outermost extent, which the accesses tell.
std::string ShapeOf(const v1::Scop& scop, const std::string& name) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() != name) continue;
    std::string shape = array.is_flat() ? "flat " : "";
    for (int i = 1; i < array.extents_size(); ++i)
      absl::StrAppend(&shape, "[", array.extents(i).c_expression(), "]");
    return shape;
  }
  return "none";
}

// The relation of the last access of the only statement.
void ExpectElement(const std::string& body, const std::string& shape, const std::string& relation) {
  const v1::Scop scop = ScopOf(kFlatHead, body);
  ASSERT_EQ(scop.statements_size(), 1) << body;
  EXPECT_EQ(ShapeOf(scop, "a"), shape) << body;
  EXPECT_TRUE(SameMap(scop.statements(0).accesses().rbegin()->relation(), "[n, m] -> " + relation)) << body;
}

#define ROWS "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "

TEST(FlatOffset, HasRows) {
  ExpectElement(ROWS "a[i * m + j] = 0;", "flat [m]", "{ S0[i, j] -> a[i, j] }");
  ExpectElement(ROWS "a[j + (unsigned long)m * (i + 2)] = 0;", "flat [m]", "{ S0[i, j] -> a[i + 2, j] }");
  ExpectElement(ROWS "{ int row = i * m; a[row + j] = 0; }", "flat [m]", "{ S0[i, j] -> a[i, j] }");
  ExpectElement(ROWS "{ double *row = a + i * m; row[j] = 0; }", "flat [m]", "{ S0[i, j] -> a[i, j] }");
  ExpectElement(ROWS "*(a + i * (m + 3) + j + 2) = 0;", "flat [m + 3]", "{ S0[i, j] -> a[i, j + 2] }");
  ExpectElement(ROWS "a[(2 * i + 1) * m - 1 - j] = 0;", "flat [m]", "{ S0[i, j] -> a[2i, m - 1 - j] }");
}

TEST(FlatOffset, MayComeFromFunctionsAndMacros) {
  const v1::Scop scop = ScopOf(
      "static int at(int i, int j, int rows) { return i + j * rows; }\n#define AT(i, j) ((j) * n + (i))\n"
      "void f(int n, double *restrict a, double *restrict b)",
      "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[at(i, j, n + 1)] = b[AT(i, j)];");
  EXPECT_EQ(ShapeOf(scop, "a"), "flat [n + 1]");
  EXPECT_EQ(ShapeOf(scop, "b"), "flat [n]");
  EXPECT_EQ(StatementText(scop.statements(0)), "a[j, i] = b[j, i]");
}

TEST(FlatOffset, SubscriptsBesideTheRowAreInAnother) {
  ExpectElement(ROWS "a[i * m + j + m] = 0;", "flat [m]", "{ S0[i, j] -> a[i + 1, j] }");
  ExpectElement("for (int i = 2; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j - 2 * m] = 0;",
                "flat [m]", "{ S0[i, j] -> a[i - 2, j] }");
}

TEST(FlatOffset, MayStandForMoreDimensions) {
  const v1::Scop scop =
      ScopOf(kFlatHead,
             "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < t; k++)"
             "  a[(i * m + j) * t + k] = b[k] + a[(i - 1) * m * t + t * j + k] + a[(i - 1) * (t * m) + k];");
  EXPECT_EQ(ShapeOf(scop, "a"), "flat [m][t]");
  EXPECT_EQ(ShapeOf(scop, "b"), "");
  EXPECT_EQ(StatementText(scop.statements(0)), "a[i, j, k] = ((b[k] + a[-1 + i, j, k]) + a[-1 + i, 0, k])");
}

// Pixels of several numbers, and every second row.
TEST(FlatOffset, RowsHaveTheElementsOfAllTheirParts) {
  ExpectElement(ROWS "a[(i * m + j) * 3 + 2] = 0;", "flat [3 * m]", "{ S0[i, j] -> a[i, 3j + 2] }");
  ExpectElement(ROWS "for (int c = 0; c < 4; c++) a[4 * j + c + (i + 1) * 4 * m] = 0;", "flat [4 * m]",
                "{ S0[i, j, c] -> a[i + 1, 4j + c] }");
  ExpectElement(ROWS "a[2 * (i * m + j)] = 0;", "flat [2 * m]", "{ S0[i, j] -> a[i, 2j] }");
  ExpectElement(ROWS "a[2 * i * m + m + j] = 0;", "flat [2 * m]", "{ S0[i, j] -> a[i, m + j] }");
  const v1::Scop scop = ScopOf(
      kFlatHead,
      ROWS "for (int k = 0; k < t; k++) a[((i * m + j) * t + k) * 2 + 1] = a[2 * t * (i * m + j) + 2 * k];");
  EXPECT_EQ(ShapeOf(scop, "a"), "flat [m][2 * t]");
  EXPECT_EQ(StatementText(scop.statements(0)), "a[i, j, 1 + 2k] = a[i, j, 2k]");
}

TEST(FlatOffset, LooksAtWhereItIsReached) {
  const v1::Scop scop = ScopOf(kFlatHead, ROWS "b[j] = j > 0 ? a[i * m + j - 1] : 0;");
  EXPECT_EQ(ShapeOf(scop, "a"), "flat [m]");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n, m] -> { S0[i, j] -> a[i, j - 1] }"));
}

// Which values of the parameters keep subscripts inside of rows.
TEST(FlatOffset, ContextKeepsRowsApart) {
  const v1::Scop scop =
      ScopOf(kFlatHead, "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * m + j] = 0;");
  EXPECT_TRUE(SameSet(scop.context(), "[n, m] -> { : n <= m or n <= 0 }"));
}

// Parts of a row, which are rows of a further dimension where the row is made of them.
TEST(FlatOffset, RowsArePartsWhereTheFunctionSaysSo) {
  const std::string head =
      "void g(const float *restrict x, float *restrict y, float *restrict z, int T, int C, int NH) { int C3 "
      "= 3 * "
      "C, hs = C / NH;\n";
  const std::string loops =
      "for (int t = 0; t < T; t++) for (int h = 0; h < NH; h++) for (int i = 0; i < hs; i++)\n";
  const v1::Extraction extraction =
      Extract(absl::StrCat(head, "#pragma scop\n", loops,
                           "y[t * C + h * hs + i] = x[t * C3 + C + h * hs + i] + x[t * C3 + h * hs + i];\n",
                           "for (int i = 0; i < C; i++) z[i] = 0;\n#pragma endscop\n}"));
  ASSERT_EQ(Problems(extraction), "");
  const v1::Scop& scop = extraction.scops(0);
  EXPECT_EQ(ShapeOf(scop, "x"), "flat [NH][hs]");
  EXPECT_EQ(ShapeOf(scop, "y"), "flat [NH][hs]");
  EXPECT_EQ(ShapeOf(scop, "z"), "");
  const std::string parameters = "[T, NH, hs, C3, C, tune_product_NH_hs] -> ";
  EXPECT_TRUE(
      SameMap(scop.statements(0).accesses(0).relation(), parameters + "{ S0[t, h, i] -> x[3t + 1, h, i] }"));
  EXPECT_TRUE(
      SameMap(scop.statements(0).accesses(1).relation(), parameters + "{ S0[t, h, i] -> x[3t, h, i] }"));
  EXPECT_TRUE(
      SameMap(scop.statements(0).accesses(2).relation(), parameters + "{ S0[t, h, i] -> y[t, h, i] }"));
  // What the function says may not be so when the region is reached.
  EXPECT_TRUE(
      SameSet(scop.context(), parameters + "{ : C = tune_product_NH_hs and C3 = 3 * tune_product_NH_hs }"));
}

TEST(FlatOffset, PartsOfUnknownNumberAreRefused) {
  EXPECT_THAT(
      Problems(Extract(Function("void f(int n, int m, int k, double *a)",
                                "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int l = 0; l "
                                "< k; l++) a[i * m + j * k + l] = 0;"))),
      ::testing::HasSubstr("multiplies two values that are not constant"));
}

TEST(FlatOffset, RowsMayBeQuotients) {
  const v1::Scop scop =
      ScopOf(kFlatHead,
             "for (int i = 0; i < n; i++) for (int j = 0; j < m / 2; j++) a[i * (m / 2) + j] = b[2 * j];");
  EXPECT_EQ(ShapeOf(scop, "a"), "flat [m / 2]");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(1).relation(), "[n, m] -> { S0[i, j] -> a[i, j] }"));
  EXPECT_TRUE(SameSet(scop.context(), "[n, m] -> { : m >= 2 }"));
}

}  // namespace
}  // namespace tune::testing
