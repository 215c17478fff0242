#include "common/transform/streamed_tiles/stream_plan.h"

#include <gtest/gtest.h>

#include "common/schedule/analysed_scop.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Element;
using testing::Literal;
using testing::Read;
using testing::ScopBuilder;

// "lag 2; A lag 1 ages 3 rows 2 first last", arrays in the order in which the loop writes them. "none" where
// there is no plan.
std::string Plan(const v1::Scop& scop) {
  const testing::Values values = {{"steps", 5}, {"n", 43}, {"m", 39}};
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const isl::schedule schedule = analysed.Schedule().value();
  const auto text = analysis->context.Run("planning", [&]() -> absl::StatusOr<std::string> {
    const isl::set known = ParameterValues(analysis->context, values);
    const std::vector<StencilLoop> loops = FindStencilLoops(schedule, *analysis->scop, known);
    if (loops.size() != 1) return std::string("no loop");
    const std::optional<StreamPlan> plan = PlanStream(loops[0], *analysis->scop, known);
    if (!plan) return std::string("none");
    std::string text = absl::StrCat("lag ", plan->lag);
    for (const StreamedArray& array : plan->arrays)
      absl::StrAppend(&text, "; ", array.name, " lag ", array.lag, " ages ", array.ages, " rows ", array.rows,
                      array.first ? " first" : "", array.last ? " last" : "");
    return text;
  });
  return text.value();
}

ScopBuilder Steps() {
  ScopBuilder builder("planes", {"steps", "n", "m"}, "steps >= 0 and n >= 0 and m >= 0");
  for (const char* array : {"A", "B"}) builder.Array(array, {"n", "m"});
  builder.Begin("t", "0 <= t < steps");
  return builder;
}

// A statement for all elements but those so many at the boundary: the target's [i, j] as the sum of what is
// read.
void AddStatement(const std::string& target, const std::vector<Element>& reads, ScopBuilder* builder,
                  const std::string& rows = "2 <= i < n - 2") {
  v1::Expression value = Literal("0.5");
  for (size_t i = 0; i < reads.size(); ++i) value = Add(value, Read(static_cast<int>(i)));
  builder->Begin("i", rows).Begin("j", "2 <= j < m - 2").Assign({target, "i, j"}, reads, value).End().End();
}

std::vector<Element> FivePoints(const std::string& array) {
  return {
      {array, "i, j"}, {array, "i - 1, j"}, {array, "i + 1, j"}, {array, "i, j - 1"}, {array, "i, j + 1"}};
}

TEST(StreamPlanTest, NeighboursInARowAreOfAnEarlierIteration) {
  ScopBuilder steps = Steps();
  AddStatement("B", FivePoints("A"), &steps);
  AddStatement("A", FivePoints("B"), &steps);
  EXPECT_EQ(Plan(steps.End().Build()), "lag 2; B lag 0 ages 3 rows 2 last; A lag 1 ages 3 rows 2 first");
}

TEST(StreamPlanTest, WhatReachesFartherIsLater) {
  ScopBuilder steps = Steps();
  AddStatement("B", {{"A", "i + 2, j"}, {"A", "i - 2, j - 1"}}, &steps);
  AddStatement("A", {{"B", "i, j"}}, &steps);
  EXPECT_EQ(Plan(steps.End().Build()), "lag 2; B lag 0 ages 3 rows 0 last; A lag 0 ages 3 rows 5 first");
}

TEST(StreamPlanTest, WhatIsReadAtOneOfTwoPlacesIsInRows) {
  ScopBuilder steps = Steps();
  std::vector<Element> reads = FivePoints("A");
  reads.push_back({"A", "i - j mod 2, j - j mod 2"});
  AddStatement("B", reads, &steps);
  AddStatement("A", {{"B", "i, j"}}, &steps);
  EXPECT_EQ(Plan(steps.End().Build()), "lag 1; B lag 0 ages 2 rows 0 last; A lag 0 ages 3 rows 3 first");
}

TEST(StreamPlanTest, NoneWhereElementsAreNotWrittenOnceInEachStep) {
  ScopBuilder twice = Steps();
  AddStatement("B", {{"A", "i, j"}}, &twice);
  AddStatement("B", {{"A", "i, j"}, {"B", "i, j"}}, &twice, "2 <= i < 9");
  AddStatement("A", FivePoints("B"), &twice);
  EXPECT_EQ(Plan(twice.End().Build()), "none");
  ScopBuilder fewer = Steps();
  AddStatement("B", FivePoints("A"), &fewer, "2 <= i < n - 2 - t");
  AddStatement("A", {{"B", "i, j"}}, &fewer);
  EXPECT_EQ(Plan(fewer.End().Build()), "none");
}

// In one access, elements that the step has written already and others.
TEST(StreamPlanTest, NoneWhereOneReadIsOfTwoVersions) {
  ScopBuilder steps = Steps();
  AddStatement("A", {{"B", "i, j"}}, &steps, "2 <= i < 20");
  AddStatement("B", FivePoints("A"), &steps);
  AddStatement("A", {{"B", "i, j"}}, &steps, "20 <= i < n - 2");
  EXPECT_EQ(Plan(steps.End().Build()), "none");
}

// What a tile computes of zeros could divide by them.
TEST(StreamPlanTest, NoneForIntegers) {
  ScopBuilder steps = Steps();
  AddStatement("B", FivePoints("A"), &steps);
  AddStatement("A", {{"B", "i, j"}}, &steps);
  v1::Scop scop = steps.End().Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_INT);
  EXPECT_EQ(Plan(scop), "none");
}

}  // namespace
}  // namespace tune
