// Pointers to rows as arrays in two dimensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kRowsHead[] =
    "#include <stdlib.h>\n"
    "double **global; unsigned char **image; const int *const *fixed;\n"
    "static double first(const double *row) { return row[0]; }\n"
    "void f(int n, int m, double **a, const double *const *b, double ***cube, volatile double **v, int "
    "k[100], "
    "char *text)";

v1::Extraction ReadRows(const std::string& body) { return Extract(Function(kRowsHead, body)); }

// The only scop; the test fails without one.
v1::Scop RowsScop(const std::string& body) {
  const v1::Extraction extraction = ReadRows(body);
  EXPECT_EQ(Problems(extraction), "");
  return extraction.scops_size() == 1 ? extraction.scops(0) : v1::Scop();
}

std::vector<std::string> ParametersOfRows(const v1::Scop& scop) {
  std::vector<std::string> names;
  for (const v1::Parameter& parameter : scop.parameters()) names.push_back(parameter.name());
  return names;
}

TEST(RowTable, IsAnArrayInTwoDimensions) {
  const v1::Scop scop =
      RowsScop("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 2 * b[i][j + 1];");
  ASSERT_EQ(scop.arrays_size(), 2);
  const v1::Array& b = scop.arrays(0);
  EXPECT_EQ(b.name(), "b");
  EXPECT_EQ(b.element_type(), v1::ELEMENT_TYPE_DOUBLE);
  EXPECT_TRUE(b.is_pointer());
  EXPECT_TRUE(b.read_only());
  EXPECT_EQ(b.overlap(), v1::Array::POINTER);
  ASSERT_EQ(b.extents_size(), 2);
  EXPECT_EQ(b.extents(1).c_expression(), "tune_row_b");
  EXPECT_THAT(ParametersOfRows(scop), ElementsAre("n", "m"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n, m] -> { S0[i, j] -> b[i, j + 1] }"));
}

TEST(RowTable, LinesAreThoseOfTheFile) {
  const std::string head = "void f(int n, double **a)";
  const v1::Extraction rows = Extract(Function(head, "for (int i = 0; i < n; i++)\n  a[i][0] = 1;"));
  const v1::Extraction plain =
      Extract(Function("void f(int n, double a[n][n])", "for (int i = 0; i < n; i++)\n  a[i][0] = 1;"));
  ASSERT_EQ(Problems(rows) + Problems(plain), "");
  EXPECT_EQ(rows.scops(0).statements(0).line(), plain.scops(0).statements(0).line());
  EXPECT_EQ(rows.scops(0).region().begin_line(), plain.scops(0).region().begin_line());
  EXPECT_EQ(rows.scops(0).region().end_line(), plain.scops(0).region().end_line());
}

// The program's file.
std::string TextOfRows(const v1::Extraction& extraction) {
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

TEST(RowTable, ProgramChecksTheRows) {
  const v1::Extraction extraction =
      ReadRows("for (int i = 0; i < n; i++)\n  for (int j = 1; j < m; j++) a[i + 1][j] = global[i][j - 1];");
  ASSERT_EQ(Problems(extraction), "");
  const std::string text = TextOfRows(extraction);
  const v1::SourceRegion& region = extraction.scops(0).region();
  EXPECT_EQ(text.substr(region.begin_offset(), 12), "#pragma scop");
  EXPECT_THAT(text, HasSubstr("tune_count_a = (long)n >= 1 && (long)m >= 2 ? (long)n + 1 : 0;"));
  EXPECT_THAT(text, HasSubstr("tune_used_a = tune_row_a = (long)n >= 1 && (long)m >= 2 ? (long)m : 0;"));
  EXPECT_THAT(text, HasSubstr("tune_count_global = (long)n >= 1 && (long)m >= 2 ? (long)n : 0;"));
  EXPECT_THAT(
      text,
      HasSubstr("tune_used_global = tune_row_global = (long)n >= 1 && (long)m >= 2 ? (long)m - 1 : 0;"));
  EXPECT_THAT(
      text,
      HasSubstr("tune_element_a (*const a)[tune_row_a] = (tune_element_a (*)[tune_row_a])tune_base_a;"));
  // The original is there as well.
  const std::string body =
      text.substr(region.body_begin_offset(), region.body_end_offset() - region.body_begin_offset());
  EXPECT_THAT(text.substr(region.end_offset()), HasSubstr("} else { /* tunectl: the original */\n" + body +
                                                          "  } /* tunectl: the end of the original */\n}\n"));
}

TEST(RowTable, NegativeSubscriptsAreNoRows) {
  EXPECT_THAT(TextOfRows(ReadRows("for (int i = 0; i < n; i++) for (int j = k[0]; j < m; j++) a[i][j] = 0;")),
              HasSubstr("(long)tune_k_0 >= 0"));
  EXPECT_THAT(TextOfRows(ReadRows("for (int i = 0; i < n; i++) for (int j = m; j < n; j++) a[i][j] = 0;")),
              HasSubstr("(long)m >= 0"));
}

TEST(RowTable, RowsMayHaveNamesAndBeArguments) {
  const v1::Scop scop = RowsScop(
      "for (int i = 0; i < n; i++) { double *row = a[i]; for (int j = 0; j < m; j++) row[j] += first(b[i]); "
      "}");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n, m] -> { S0[i, j] -> a[i, j] }") ||
              SameMap(scop.statements(0).accesses(1).relation(), "[n, m] -> { S0[i, j] -> a[i, j] }"));
}

TEST(RowTable, MayBeAnArrayOfPointers) {
  const v1::Extraction extraction = Extract(
      "double x[100]; void f(int n) { double *rows[10]; for (int i = 0; i < 10; i++) rows[i] = x + 10 * i;\n"
      "#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) rows[i][j] = 1;\n"
      "#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).arrays(0).name(), "rows");
}

TEST(RowTable, SeveralRegionsHaveNamesOfTheirOwn) {
  const v1::Extraction extraction = Extract(
      "void f(int n, double **a) {\n#pragma scop\nfor (int i = 0; i < n; i++) a[i][0] = 1;\n#pragma endscop\n"
      "#pragma scop\nfor (int i = 0; i < n; i++) a[i][i] = 2;\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 2);
  EXPECT_EQ(extraction.scops(0).arrays(0).extents(1).c_expression(), "tune_row_a");
  EXPECT_EQ(extraction.scops(1).arrays(0).extents(1).c_expression(), "tune_row_a_2");
}

TEST(RowTable, LoopsNeedNoPragmas) {
  const std::string text =
      "void f(int n, double **a) {\n  for (int i = 0; i < n; i++)\n    a[i][0] = 1;\n}\n";
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("rows.c", text);
  const v1::LoopNests nests = FindLoopNests(request);
  ASSERT_EQ(nests.nests_size(), 1);
  EXPECT_TRUE(nests.nests(0).has_scop());
  EXPECT_EQ(nests.nests(0).begin_line(), 2);
  request.function = "f";
  const v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  EXPECT_EQ(extraction.scops(0).statements(0).line(), 3);
  EXPECT_THAT(TextOfRows(extraction), HasSubstr("tune_rows_a"));
}

TEST(RowTable, OtherFilesStayAsTheyAre) {
  const v1::Extraction extraction =
      Extract(Function("void f(int n, double a[n])", "for (int i = 0; i < n; i++) a[i] = 1;"));
  EXPECT_THAT(TextOfRows(extraction), Not(HasSubstr("tune_")));
}

struct RefusedTable {
  const char *body, *reason;
};

TEST(RowTable, OtherUsesAreRefused) {
  for (const RefusedTable& c : std::vector<RefusedTable>{
           {"for (int i = 0; i < n; i++) cube[0][i][0] = 1;", "an array of pointers"},
           {"for (int i = 0; i < n; i++) v[i][0] = 1;", "volatile"},
           {"for (int i = 0; i < n; i++) { a[i] = 0; a[i][0] = 1; }", "pointer"},
           {"for (int i = 0; i < n; i++) { double **p = &a[i]; p[0][i] = 1; }", "pointer"},
           {"for (int i = 0; i < n; i++) a[i][k[i]] += 1;", "data decide"},
           {"for (int i = 0; i < n; i++) a[k[i]][0] += 1;", "data decide"},
           {"for (int i = 0; i < n; i++) { a[i][0] += 1; text[i] = 1; }", "writes characters"},
       }) {
    const v1::Extraction extraction = ReadRows(c.body);
    EXPECT_EQ(extraction.scops_size(), 0) << c.body;
    EXPECT_THAT(Problems(extraction), HasSubstr(c.reason)) << c.body;
  }
}

TEST(RowTable, WhatElseIsWrongIsToldWhereItStands) {
  const v1::Extraction extraction =
      ReadRows("for (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++)\n    a[i][i * j] = 1;");
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_EQ(extraction.diagnostics(0).expression(), "i * j");
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("not an affine expression"));
}

TEST(RowTable, RowsOfCharactersMayBeWritten) {
  const v1::Scop scop =
      RowsScop("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) image[i][j] = fixed[i][j];");
  EXPECT_EQ(scop.arrays_size(), 2);
}

}  // namespace
}  // namespace tune::testing
