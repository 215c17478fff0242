#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/expansion/expanded_arrays.h"
#include "common/transform/expansion/expansion.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

// A step in time, in which each row is a recurrence with a temporary of its body, which is a local variable
// or one from outside.
v1::Scop StepsOfRows(bool local) {
  return ScopBuilder("rows", {"steps", "n"}, "steps >= 1 and n >= 4")
      .Array("p", {"n", "n"})
      .Array("r", {}, local)
      .Begin("t", "0 <= t < steps")
      .Begin("i", "0 <= i < n")
      .Begin("j", "1 <= j < n")
      .Assign({"r", ""}, {{"p", "i, j - 1"}, {"p", "i, j"}}, Add(Read(0), Read(1)))
      .Assign({"p", "i, j"}, {{"r", ""}}, Read(0))
      .Build();
}

const Values kFewSteps = {{"steps", 3}, {"n", 5}};

TEST(ParallelLoopsTest, OnlyTheyGetCopies) {
  for (const bool local : {false, true}) {
    const v1::Scop scop = StepsOfRows(local);
    const auto analysis = Analysis::Make(scop, kFewSteps).value();
    EXPECT_EQ(testing::Print(analysis->Find().value()), absl::StrCat("r 2 ", 3 * 5 * 8)) << local;
    const auto along = ExpandableAlong(analysis->context, *analysis->scop, analysis->dependences, "r",
                                       CopiesAlong::kParallelLoops, kFewSteps);
    ASSERT_TRUE(along.ok()) << along.status();
    EXPECT_EQ(testing::Print({*along}), "r 2 40") << local;
    const auto expanded = analysis->Expand({*along});
    ASSERT_TRUE(expanded.ok()) << expanded.status();
    testing::ExpectSameResults(scop, *expanded, kFewSteps);
    const auto again = Analysis::Make(*expanded, kFewSteps).value();
    const auto schedule = ComputeSchedule(again->context, *again->scop, again->dependences, {});
    ASSERT_TRUE(schedule.ok()) << schedule.status();
    EXPECT_THAT(testing::OutermostBands(*schedule), ::testing::HasSubstr("1/2")) << local;
  }
}

// Values from before the region stand in one element, which iterations of the loops outside would share.
TEST(ParallelLoopsTest, ValuesFromBeforeTheRegionKeepTheArray) {
  const v1::Scop scop = ScopBuilder("before", {"steps", "n"}, "steps >= 1 and n >= 4")
                            .Array("p", {"n", "n"})
                            .Array("s", {"n"})
                            .Begin("t", "0 <= t < steps")
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "1 <= j < n")
                            .Assign({"p", "i, j"}, {{"p", "i, j - 1"}, {"s", "j"}}, Add(Read(0), Read(1)))
                            .Assign({"s", "j"}, {{"p", "i, j"}}, Read(0))
                            .Build();
  const auto analysis = Analysis::Make(scop, kFewSteps).value();
  EXPECT_TRUE(
      absl::IsFailedPrecondition(ExpandableAlong(analysis->context, *analysis->scop, analysis->dependences,
                                                 "s", CopiesAlong::kParallelLoops, kFewSteps)
                                     .status()));
}

// A temporary of what a loop adds up: its own statements could run at the same time.
TEST(ParallelLoopsTest, OfNestsAreThoseOfAllStatementsInside) {
  const v1::Scop scop = ScopBuilder("forces", {"n"}, "n >= 4")
                            .Array("x", {"n"})
                            .Array("f", {"n"})
                            .Array("d", {}, /*local=*/true)
                            .Array("e", {}, /*local=*/true)
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"d", ""}, {{"x", "i"}, {"x", "j"}}, Add(Read(0), Read(1)))
                            .Assign({"e", ""}, {{"d", ""}}, Add(Read(0), Read(0)))
                            .Update(v1::ADD, {"f", "i"}, {{"e", ""}}, Read(0))
                            .Build();
  const Values values = {{"n", 6}};
  const auto analysis = Analysis::Make(scop, values).value();
  const auto along = [&](CopiesAlong which) {
    return *ExpandableAlong(analysis->context, *analysis->scop, analysis->dependences, "d", which, values);
  };
  EXPECT_EQ(testing::Print({along(CopiesAlong::kParallelLoops)}), absl::StrCat("d 2 ", 6 * 6 * 8));
  EXPECT_EQ(testing::Print({along(CopiesAlong::kParallelNests)}), absl::StrCat("d 1 ", 6 * 8));
  const auto expanded = analysis->Expand({along(CopiesAlong::kParallelNests)});
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  testing::ExpectSameResults(scop, *expanded, values);
}

// The transformation takes them where copies for all iterations are more than there may be.
TEST(ParallelLoopsTest, WhereAllIsTooMuch) {
  const Values large = {{"steps", 10'000}, {"n", 2'000}};
  const auto analysis = Analysis::Make(StepsOfRows(/*local=*/true), large).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  FormLimits limits;
  limits.most_bytes = 1 << 20;
  const auto made = ExpandedArrays().Make(analysed, large, limits);
  ASSERT_TRUE(made.ok() && made->has_value()) << made.status();
  EXPECT_EQ(testing::NewBytes(StepsOfRows(/*local=*/true), **made, large), 2'000 * 8);
  limits.most_bytes = 2'000 * 8 - 1;
  const auto none = ExpandedArrays().Make(analysed, large, limits);
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_FALSE(none->has_value());
}

}  // namespace
}  // namespace tune
