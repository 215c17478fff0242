// Elements of arrays that say how far loops go, as variables of their own.
#include "client/extract/integers/element_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kElementsHead[] =
    "int cells[3], parts[2][2], sums[4]; volatile int moved[2]; static const int table[2] = {3, 4};\n"
    "double reals[2]; unsigned char small[2]; void g(int *);\n"
    "void f(int n, int *sizes, double *restrict x, int *y)";

v1::Extraction ReadElements(const std::string& body) { return Extract(Function(kElementsHead, body)); }

std::vector<std::string> NamesOfParameters(const v1::Extraction& extraction) {
  std::vector<std::string> names;
  if (extraction.scops_size() == 1) {
    for (const v1::Parameter& parameter : extraction.scops(0).parameters()) names.push_back(parameter.name());
  }
  return names;
}

TEST(ElementRead, BoundsAndSubscriptsMayBeElements) {
  const v1::Extraction extraction = ReadElements(
      "for (int i = 1; i < cells[2] - 1; i++)\n  for (int j = 0; j < parts[1][0]; j++)\n"
      "    x[i + cells[0]] += small[1] * cells[2];");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfParameters(extraction), ElementsAre("tune_cells_2", "tune_parts_1_0", "tune_cells_0"));
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("const __typeof__(parts[1][0]) tune_parts_1_0 = parts[1][0];"));
  EXPECT_THAT(text, HasSubstr("x[i + tune_cells_0] += small[1] * tune_cells_2;"));
  EXPECT_EQ(extraction.scops(0).statements(0).line(), 7);
}

TEST(ElementRead, ProgramChecksThatNoneIsWritten) {
  const v1::Extraction extraction = ReadElements("for (int i = 0; i < cells[1]; i++) y[i] = 1;");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.program().files(0).content(),
              HasSubstr("(tune_end <= (__UINTPTR_TYPE__)&cells[1] || "
                        "(__UINTPTR_TYPE__)(&cells[1] + 1) <= tune_begin)"));
}

// What lies before one that is read in any case is there, too; others where the loops around have iterations.
TEST(ElementRead, MayStandBehindPointers) {
  const v1::Extraction extraction = ReadElements(
      "for (int i = 0; i < sizes[1]; i++)\n  for (int j = 0; j < sizes[0]; j++)\n"
      "    for (int k = 0; k < sizes[2]; k++) y[j] += k;");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfParameters(extraction), ElementsAre("tune_sizes_1", "tune_sizes_0", "tune_sizes_2"));
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("const __typeof__(sizes[0]) tune_sizes_0 = sizes[0];"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(sizes[2]) tune_sizes_2 = tune_reached_1 ? sizes[2] : 0;"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)(&sizes + 1) <= tune_begin"));
}

TEST(ElementRead, RowsBehindPointersHaveElements) {
  const v1::Extraction extraction = Extract(
      "void f(int shape[][2], double *restrict x) {\n#pragma scop\n"
      "for (int i = 0; i < shape[1][0]; i++)\n  for (int j = 0; j < shape[0][1]; j++)\n"
      "    for (int k = 0; k < shape[1][1]; k++) x[i] += 1;\n#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfParameters(extraction),
              ElementsAre("tune_shape_1_0", "tune_shape_0_1", "tune_shape_1_1"));
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr(" tune_shape_0_1 = shape[0][1];"));
  EXPECT_THAT(text, HasSubstr(" tune_shape_1_1 = tune_reached_1 ? shape[1][1] : 0;"));
}

TEST(ElementRead, NamesOfTheRegionStayItsOwn) {
  EXPECT_THAT(Problems(ReadElements("int tune_cells_0 = 3;\n"
                                    "for (int i = 0; i < cells[0] + tune_cells_0; i++) y[i] = 1;")),
              HasSubstr("`tune_cells_0` is also the name of a variable"));
}

TEST(ElementRead, ValuesAloneStayElements) {
  const v1::Extraction extraction = ReadElements("for (int i = 0; i < n; i++) x[i] = sums[1] + sums[2];");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.program().files(0).content(), Not(HasSubstr("tune_")));
  EXPECT_THAT(NamesOfParameters(ReadElements("for (int i = 0; i < table[1]; i++) x[i] = 1;")), ElementsAre());
}

TEST(ElementRead, MeetsMembersOfOtherNames) {
  const v1::Extraction extraction = Extract(
      "struct { int n, *row; } a; int a_n[2];\nvoid f(double *restrict x) {\n#pragma scop\n"
      "for (int i = 0; i < a.n; i++)\n  for (int j = 0; j < a_n[1]; j++) x[i] += j;\n"
      "#pragma endscop\n}\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(NamesOfParameters(extraction), ElementsAre("tune_a_n", "tune_a_n_1"));
}

TEST(ElementRead, OthersAreRefused) {
  for (const char* body : {
           // Written by name, by all subscripts, by a function; read elsewhere, or by other subscripts.
           "for (int i = 0; i < cells[0]; i++) { x[i] = 1; cells[0] = 3; }",
           "for (int i = 0; i < cells[0]; i++) cells[i] = 3;",
           "for (int i = 0; i < cells[0]; i++) g(cells);",
           "for (int i = 0; i < cells[0]; i++) x[i] = cells[i];",
           "for (int i = 0; i < cells[n]; i++) x[i] = 1;",
           // Outside of the array, volatile, no integers, behind a pointer that is perhaps not followed, in
           // the region.
           "for (int i = 0; i < cells[3]; i++) x[i] = 1;",
           "for (int i = 0; i < moved[1]; i++) x[i] = 1;",
           "for (int i = 0; i < reals[1]; i++) x[i] = 1;",
           "if (n > 3) for (int i = 0; i < sizes[1]; i++) x[i] = 1;",
           "for (int i = 0; i < n; i++) { if (i > 3) break; for (int j = 0; j < sizes[0]; j++) x[j] = 1; }",
           "for (int i = 0; i < sizes[1]; i++) { x[i] = 1; sizes = y; }",
           "int own[2]; own[1] = n; for (int i = 0; i < own[1]; i++) x[i] = 1;",
       }) {
    const v1::Extraction extraction = ReadElements(body);
    EXPECT_EQ(extraction.scops_size(), 0) << body;
    EXPECT_GT(extraction.diagnostics_size(), 0) << body;
  }
}

}  // namespace
}  // namespace tune::testing
