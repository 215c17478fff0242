// Parts of regions and their slices, against going through all instances and elements at sizes that nobody
// named; regions that have no parts.
#include "worker/parts/divided_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/random.h"
#include "tests/worker/parts/divided_programs.h"
#include "tests/worker/parts/division.h"

namespace tune {
namespace {

using testing::Division;
using ::testing::HasSubstr;
using testing::Values;

class DividedPrograms : public ::testing::TestWithParam<int> {};

TEST_P(DividedPrograms, PartsHaveTheirInstancesAndSlices) {
  const v1::Extraction extraction = ExtractText(kDividedPrograms);
  ASSERT_EQ(extraction.scops_size(), kDividedProgramCount);
  const v1::Scop& scop = extraction.scops(GetParam());
  const auto divided = DivideRegion(scop);
  ASSERT_TRUE(divided.ok()) << divided.status();
  const auto region = MakeParametricRegion(divided->part, /*further=*/2);
  ASSERT_TRUE(region.ok()) << region.status();
  const auto slices = SlicesOfPart(scop, *divided, region->scop);
  ASSERT_TRUE(slices.ok()) << slices.status();
  Division division(scop, *divided, *region, *slices);
  Random random(7);
  for (int i = 0; i < 3; ++i) {
    Values values;
    for (const v1::Parameter& parameter : scop.parameters())
      values[parameter.name()] = 4 + static_cast<int64_t>(random.Below(5));
    // Products of sizes.
    for (const v1::Parameter& parameter : scop.parameters()) {
      if (parameter.factors().empty()) continue;
      values[parameter.name()] = 1;
      for (const std::string& factor : parameter.factors()) values[parameter.name()] *= values.at(factor);
    }
    division.Check(values, scop.name() != "triangle");
  }
}
INSTANTIATE_TEST_SUITE_P(DividedRegion, DividedPrograms, ::testing::Range(0, kDividedProgramCount));

// What DivideRegion, or then SlicesOfPart, says of a region in f(int n, int m, ...).
std::string Refusal(const std::string& arguments, const std::string& region) {
  const v1::Extraction extraction = ExtractText(absl::StrCat(
      "void f(int n, int m, ", arguments, ") {\n#pragma scop\n", region, "\n#pragma endscop\n}\n"));
  if (extraction.scops_size() != 1) return "no region";
  const auto divided = DivideRegion(extraction.scops(0));
  if (!divided.ok()) return divided.status().ToString();
  const auto part = MakeParametricRegion(divided->part, /*further=*/2);
  if (!part.ok()) return part.status().ToString();
  return SlicesOfPart(extraction.scops(0), *divided, part->scop).status().ToString();
}

TEST(DividedRegion, RegionsWithoutAnOutermostParallelLoopAreRefused) {
  const std::string stencil = Refusal("double A[n], double B[n]",
                                      "for (int t = 0; t < m; t++) {\n"
                                      "  for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i + 1];\n"
                                      "  for (int i = 1; i < n - 1; i++) A[i] = B[i];\n}");
  EXPECT_THAT(stencil, HasSubstr("INVALID_ARGUMENT: f: it has no outermost parallel loop"));
  EXPECT_THAT(stencil, HasSubstr("an iteration writes elements of A"));
  // Each of the loops is parallel, but one uses all that the other computes.
  EXPECT_THAT(
      Refusal("double x[n], double y[n]",
              "for (int i = 0; i < n; i++) x[i] = 1;\n"
              "for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];"),
      HasSubstr(
          "an iteration writes elements of x (line 3) that another one reads or writes; one of its loops "
          "alone, as a region, may be parallel"));
  EXPECT_THAT(Refusal("double x[n], double s[m]", "for (int i = 0; i < n; i++) s[0] += x[i];"),
              HasSubstr("an iteration writes elements of s"));
  EXPECT_THAT(Refusal("double x[n], double s", "for (int i = 0; i < n; i++) { s = 2 * x[i]; x[i] = s + 1; }"),
              HasSubstr("share the variable s"));
  EXPECT_THAT(Refusal("double x[n]", "x[0] = 1;\nfor (int i = 1; i < n; i++) x[i] = 2;"),
              HasSubstr("the statement in line 3 stands outside of loops"));
  EXPECT_THAT(
      Refusal("double x[n]", "double s;\nfor (int i = 0; i < n; i++) {\nif (i < 1) s = 3;\nx[i] = s;\n}"),
      HasSubstr("an iteration reads what another one computes in line 5"));
}

TEST(DividedRegion, WhatLiesAmongOthersElementsIsRefused) {
  // Of antidiagonals.
  EXPECT_THAT(
      Refusal("double C[n][n]", "for (int i = 0; i < n; i++)\nfor (int j = 0; j <= i; j++) C[i - j][j] = 1;"),
      HasSubstr("lies among what others write"));
  // Distances between the elements of an iteration are not equal.
  EXPECT_THAT(
      Refusal("double x[4 * m + 9]",
              "for (int i = 0; i < 2; i++)\nfor (int j = 0; j < m; j++) x[4 * j + 2 * i] = 1;"),
      HasSubstr("what an iteration writes of x lies among what others write and is no strided slice"));
}

}  // namespace
}  // namespace tune
