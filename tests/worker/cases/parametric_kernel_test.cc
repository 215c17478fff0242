#include "worker/cases/parametric_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/worker/cases/example_programs.h"
#include "worker/cases/case_kernel_printer.h"
#include "worker/cases/plain_expression.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

TEST(ParametricKernel, CoincidentMembersAreAxesAndAllSizesArguments) {
  const ParametricRegion region = ExampleRegion("matrix_addition");
  ASSERT_EQ(region.kernels.size(), 1);
  EXPECT_EQ(region.kernels[0].axes, 2);
  EXPECT_EQ(region.kernels[0].host_depth, 0);
  EXPECT_FALSE(region.kernels[0].HasCaches());  // each element is read once, in order
  EXPECT_EQ(PlainText(region.requirement), "n >= 4");
  const auto* const launch = region.host.at(0).As<Launch>();
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(PlainText(launch->first[0]), "0");
  EXPECT_EQ(PlainText(launch->count[0]), "n");
}

TEST(ParametricKernel, StencilsReadATileWithItsRim) {
  const ParametricRegion region = ExampleRegion("jacobi_1d");
  ASSERT_EQ(region.kernels.size(), 2);
  for (const ParametricKernel& kernel : region.kernels) {
    EXPECT_EQ(kernel.axes, 1);
    EXPECT_EQ(kernel.host_depth, 1);
    EXPECT_FALSE(kernel.HasStrips());
    ASSERT_EQ(kernel.phases.at(0).caches.size(), 1);
    const TileDimension& tile = kernel.phases[0].caches[0].dimensions.at(0);
    EXPECT_THAT(tile.coefficients, ElementsAre(1));
    EXPECT_EQ(tile.spread, 2);
    EXPECT_EQ(PlainText(tile.first), "tune_b0 - 1");
  }
}

// Threads along x write neighbours; what they read through a tile they would read in columns.
TEST(ParametricKernel, TheAxisOfNeighboursIsTheLastOne) {
  const ParametricRegion region = ExampleRegion("transposition");
  const ParametricKernel& kernel = region.kernels.at(0);
  ASSERT_EQ(kernel.phases.at(0).caches.size(), 1);
  const CachedArray& cached = kernel.phases[0].caches[0];
  EXPECT_EQ(cached.array, "a");
  EXPECT_THAT(cached.dimensions.at(0).coefficients, ElementsAre(0, 1));
  EXPECT_THAT(cached.dimensions.at(1).coefficients, ElementsAre(1, 0));
  const auto* const launch = region.host.at(0).As<Launch>();
  EXPECT_EQ(PlainText(launch->count.at(0)), "n");  // x, of i
  EXPECT_EQ(PlainText(launch->count.at(1)), "m");
}

TEST(ParametricKernel, SumsAreCutIntoStrips) {
  const ParametricRegion region = ExampleRegion("product");
  const ParametricKernel& kernel = region.kernels.at(0);
  EXPECT_TRUE(kernel.HasStrips());
  const KernelPhase& phase = kernel.phases.back();
  ASSERT_EQ(phase.caches.size(), 2);
  EXPECT_THAT(phase.caches[0].dimensions.at(0).coefficients, ElementsAre(1, 0));
  EXPECT_EQ(phase.caches[0].dimensions.at(1).strip_coefficient, 1);
  EXPECT_EQ(phase.caches[1].dimensions.at(0).strip_coefficient, 1);
  EXPECT_THAT(phase.caches[1].dimensions.at(1).coefficients, ElementsAre(0, 1));
  EXPECT_EQ(PlainText(phase.strip_first), "0");
  EXPECT_EQ(PlainText(phase.strip_last), "n - 1");
}

// A variable that all iterations have is no reason to run one after the other: it has copies, whose number
// follows from the parameters.
TEST(ParametricKernel, SumsInLocalVariablesHaveAnAxis) {
  const ParametricRegion region = ExampleRegion("local_sum");
  ASSERT_EQ(region.kernels.size(), 1);
  EXPECT_EQ(region.kernels[0].axes, 1);
  EXPECT_TRUE(region.kernels[0].shares_sums);
  ASSERT_EQ(region.own_extents.size(), 1);
  EXPECT_EQ(PlainText(region.own_extents.at("sum_copies").at(0)), "n");
}

// Also where their order is kept: that is the order of the additions.
TEST(ParametricKernel, SumsOfWhatTilesHoldStandInVariables) {
  for (const bool exact : {false, true}) {
    const auto region = MakeParametricRegion(ExampleScop("product"), /*further=*/0, exact);
    ASSERT_TRUE(region.ok());
    const ParametricKernel& kernel = region->kernels.at(0);
    EXPECT_TRUE(kernel.HoldsSums());
    EXPECT_TRUE(kernel.HasPointsAlong(0));
    EXPECT_TRUE(kernel.HasPointsAlong(1));
    ASSERT_EQ(kernel.phases.size(), 2);
    EXPECT_TRUE(kernel.phases[0].held.empty());  // sets them to zero
    const HeldSums& held = kernel.phases[1].held;
    ASSERT_EQ(held.sums.size(), 1);
    ASSERT_EQ(held.iteration.size(), 1);
    const auto* const update = held.iteration[0].As<Instance>();  // without a condition
    ASSERT_NE(update, nullptr);
    EXPECT_EQ(update->accesses.back().array, "tune_r0[tune_tp]");
    EXPECT_NE(held.load.at(0).As<Condition>(), nullptr);
    EXPECT_NE(held.store.at(0).As<Condition>(), nullptr);
  }
}

// What is printed into a comparison.
TEST(ParametricKernel, TheLastIterationMayBeAChoice) {
  const ParametricRegion region = ExampleRegion("with_a_hole");
  const ParametricKernel& kernel = region.kernels.at(0);
  EXPECT_EQ(kernel.phases.at(0).strip_last.op, IndexExpression::Op::kSelect);
  const std::string text = PrintCaseKernel(kernel, region, KernelVariant()).text;
  EXPECT_THAT(text,
              ::testing::HasSubstr(absl::StrCat(" <= (", PlainText(kernel.phases[0].strip_last), "); ")));
}

// Two tiles of one array are none.
TEST(ParametricKernel, OtherSumsDoNot) {
  const ParametricRegion region = ExampleRegion("squares");
  EXPECT_FALSE(region.kernels.at(0).HoldsSums());
  EXPECT_FALSE(region.kernels.at(0).HasPointsAlong(0));
}

// One thread of a row sets and doubles what all threads of the row sum up; those of a column lie side by side
// with those of the next one.
TEST(ParametricKernel, ThreadsShareTheSumsOfFewElements) {
  const ParametricRegion region = ExampleRegion("matrix_vector");
  ASSERT_EQ(region.kernels.size(), 2);
  const ParametricKernel &rows = region.kernels[0], &columns = region.kernels[1];
  for (const ParametricKernel* kernel : {&rows, &columns}) {
    EXPECT_EQ(kernel->axes, 1);
    EXPECT_TRUE(kernel->shares_sums);
    EXPECT_EQ(kernel->FormatDimensions(), 2);
    EXPECT_FALSE(kernel->Coarsens());
  }
  EXPECT_TRUE(rows.neighbours_share);
  EXPECT_FALSE(columns.neighbours_share);
  ASSERT_EQ(rows.phases.size(), 3);
  EXPECT_TRUE(rows.phases[0].sums.empty());
  EXPECT_TRUE(rows.phases[2].sums.empty());
  const KernelPhase &row = rows.phases[1], &column = columns.phases.at(0);
  ASSERT_EQ(row.sums.size(), 1);
  EXPECT_EQ(row.sums[0].update, v1::ADD);
  EXPECT_EQ(PlainText(row.strip_first), "0");
  EXPECT_EQ(PlainText(row.strip_last), "n - 1");
  EXPECT_EQ(PlainText(column.strip_first), "tune_t0 + 1");
  EXPECT_EQ(PlainText(column.strip_last), "n - 1");
  EXPECT_EQ(column.strip.size(), 1);
  EXPECT_NE(column.strip[0].As<Instance>(), nullptr);  // what the loop's bounds say is not asked again
}

TEST(ParametricKernel, SumsThatKeepTheirOrderAreOfOneThread) {
  const auto region = MakeParametricRegion(ExampleScop("matrix_vector"), /*further=*/0, /*exact=*/true);
  ASSERT_TRUE(region.ok());
  for (const ParametricKernel& kernel : region->kernels) EXPECT_FALSE(kernel.shares_sums);
}

TEST(ParametricKernel, ArraysOfTheRegionHaveSizesOfTheirOwn) {
  v1::Scop scop = ExampleScop("matrix_addition");
  const std::string name = scop.arrays(0).name();
  scop.mutable_arrays(0)->set_declared_inside(true);
  const auto region = MakeParametricRegion(scop);
  ASSERT_TRUE(region.ok()) << region.status();
  ASSERT_EQ(region->own_extents.count(name), 1);
  EXPECT_EQ(PlainText(region->own_extents.at(name).at(1)), "n");
  // Of a part of a loop they would follow from further parameters.
  const auto part = MakeParametricRegion(scop, /*further=*/1);
  EXPECT_TRUE(absl::IsInvalidArgument(part.status()));
  EXPECT_THAT(std::string(part.status().message()), ::testing::HasSubstr("declare it before the region"));
}

}  // namespace
}  // namespace tune
