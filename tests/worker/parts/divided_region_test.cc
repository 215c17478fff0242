// Parts of regions and their slices, against going through all instances and elements at sizes that nobody
// named; regions that have no parts.
#include "worker/parts/divided_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/random.h"
#include "tests/common/testing/enumeration.h"
#include "tests/worker/parts/divided_programs.h"
#include "worker/cases/parametric_kernel.h"
#include "worker/parts/part_slices.h"

namespace tune {
namespace {

using testing::Enumerate;
using ::testing::HasSubstr;
using testing::Pairs;
using testing::Tuple;

using Values = std::map<std::string, int64_t>;

int64_t ValueOf(const IndexExpression& expression, const Values& values) {
  return Evaluate(expression, [&](const std::string& name) { return values.at(name); });
}

// Accesses by instance, { S -> A }, at the values of parameters.
Pairs Accesses(const isl::union_map& accesses, IslContext& context, const Values& values) {
  return Enumerate(accesses, ParameterValues(context, values));
}

// The outermost loop's value is that of the first iterator; where it counts down, negated.
int64_t LoopValue(const Tuple& instance, bool decreasing) {
  return decreasing ? -instance.second.at(0) : instance.second.at(0);
}

bool IsInside(const ArrayBox& box, const std::vector<int64_t>& element, const Values& values) {
  if (ValueOf(box.any, values) == 0) return false;
  for (size_t i = 0; i < element.size(); ++i) {
    if (element[i] < ValueOf(box.first.at(i), values) || element[i] > ValueOf(box.last.at(i), values))
      return false;
  }
  return true;
}

// One region and its parts.
class Division {
 public:
  Division(const v1::Scop& scop, const DividedRegion& divided, const ParametricRegion& region)
      : divided_(divided),
        region_(region),
        decreasing_(scop.name() == "backwards"),
        whole_(ParseScop(context_, scop).value()),
        part_(ParseScop(context_, divided.part).value()) {}

  void Check(const Values& values) {
    const Pairs reads = Accesses(whole_->reads, context_, values);
    const Pairs writes = Accesses(whole_->writes, context_, values);
    const int64_t lowest = ValueOf(divided_.lowest, values), highest = ValueOf(divided_.highest, values);
    for (const auto& [instance, element] : writes) {
      EXPECT_GE(LoopValue(instance, decreasing_), lowest);
      EXPECT_LE(LoopValue(instance, decreasing_), highest);
    }
    for (int64_t first = lowest - 1; first <= highest + 1; ++first) {
      for (int64_t end = first + 1; end <= highest + 2; ++end) CheckPart(reads, writes, values, first, end);
    }
  }

 private:
  void CheckPart(const Pairs& reads, const Pairs& writes, Values values, int64_t first, int64_t end) {
    values[divided_.first] = first;
    values[divided_.end] = end;
    const auto is_in_part = [&](const Tuple& instance) {
      const int64_t value = LoopValue(instance, decreasing_);
      return first <= value && value < end;
    };
    Pairs wanted;
    for (const auto& access : writes) {
      const auto& [instance, element] = access;
      if (is_in_part(instance)) wanted.insert(access);
      if (element.second.empty()) continue;  // of a variable inside
      const ArrayBox& box = region_.written.at(element.first);
      EXPECT_EQ(IsInside(box, element.second, values), is_in_part(instance))
          << element.first << " " << ::testing::PrintToString(element.second) << " " << first << " " << end;
      EXPECT_TRUE(!is_in_part(instance) || IsInside(region_.used.at(element.first), element.second, values));
    }
    EXPECT_EQ(Accesses(part_->writes, context_, values), wanted) << first << " " << end;
    for (const auto& [instance, element] : reads) {
      if (!is_in_part(instance) || element.second.empty()) continue;
      EXPECT_TRUE(IsInside(region_.used.at(element.first), element.second, values)) << element.first;
    }
  }

  const DividedRegion& divided_;
  const ParametricRegion& region_;
  const bool decreasing_;
  IslContext context_;
  const std::shared_ptr<const ParsedScop> whole_, part_;
};

class DividedPrograms : public ::testing::TestWithParam<int> {};

TEST_P(DividedPrograms, PartsHaveTheirInstancesAndSlices) {
  const v1::Extraction extraction = ExtractText(kDividedPrograms);
  ASSERT_EQ(extraction.scops_size(), kDividedProgramCount);
  const v1::Scop& scop = extraction.scops(GetParam());
  const auto divided = DivideRegion(scop);
  ASSERT_TRUE(divided.ok()) << divided.status();
  const auto region = MakeParametricRegion(divided->part, /*further=*/2);
  ASSERT_TRUE(region.ok()) << region.status();
  const absl::Status slices = CheckSlices(scop, *divided, region->scop);
  EXPECT_TRUE(slices.ok()) << slices;
  Division division(scop, *divided, *region);
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
    division.Check(values);
  }
}
INSTANTIATE_TEST_SUITE_P(DividedRegion, DividedPrograms, ::testing::Range(0, kDividedProgramCount));

// What DivideRegion, or then CheckSlices, says of a region in f(int n, int m, ...).
std::string Refusal(const std::string& arguments, const std::string& region) {
  const v1::Extraction extraction = ExtractText(absl::StrCat(
      "void f(int n, int m, ", arguments, ") {\n#pragma scop\n", region, "\n#pragma endscop\n}\n"));
  if (extraction.scops_size() != 1) return "no region";
  const auto divided = DivideRegion(extraction.scops(0));
  if (!divided.ok()) return divided.status().ToString();
  const auto part = MakeParametricRegion(divided->part, /*further=*/2);
  if (!part.ok()) return part.status().ToString();
  return CheckSlices(extraction.scops(0), *divided, part->scop).ToString();
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
  EXPECT_THAT(Refusal("double C[n][n]",
                      "for (int i = 0; i < n; i++)\n"
                      "for (int j = 0; j <= i; j++) {\nC[i][j] = 1;\nC[j][i] = 1;\n}"),
              HasSubstr("lies among what others write"));
  EXPECT_THAT(Refusal("double C[4 * m]",
                      "for (int i = 0; i < 4; i++)\nfor (int j = 0; j < m; j++) C[4 * j + i] = 1;"),
              HasSubstr("lies among what others write"));
}

}  // namespace
}  // namespace tune
