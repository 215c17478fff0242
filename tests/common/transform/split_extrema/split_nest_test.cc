#include "common/transform/split_extrema/split_nest.h"

#include <gtest/gtest.h>

#include "tests/common/transform/expansion/expansion_check.h"
#include "tests/common/transform/split_extrema/extremum_programs.h"

namespace tune {
namespace {

using testing::Region;

const PartLimits kFewParts{.least = 1, .most = 6, .each = 2, .neighbours = 32, .joined = 2};

std::optional<v1::Scop> Split(const v1::Scop& scop, const testing::Values& values, const PartLimits& limits) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto dependences = ComputeDependences(context, *parsed).value();
  const auto split = context.Run("test", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    return SplitNests(*parsed, FindRunningExtrema(*parsed, dependences), ParameterValues(context, values),
                      limits);
  });
  EXPECT_TRUE(split.ok()) << split.status();
  return split.value_or(std::nullopt);
}

class SplitNestTest : public ::testing::TestWithParam<Region> {};

// Bit for bit, in the order in which parts are written and in one that isl finds.
TEST_P(SplitNestTest, FindsWhatTheLoopFinds) {
  const testing::Values values = {{"n", 9}};
  const v1::Scop scop = testing::RegionScop(GetParam().text);
  const auto split = Split(scop, values, kFewParts);
  ASSERT_TRUE(split.has_value());
  for (uint64_t seed = 0; seed < 4; ++seed) testing::ExpectSameNumbers(scop, *split, values, seed);
  const auto rescheduled = testing::Rescheduled(*split, values);
  ASSERT_TRUE(rescheduled.ok()) << rescheduled.status();
  testing::ExpectSameNumbers(scop, *rescheduled, values, /*seed=*/2);
}

INSTANTIATE_TEST_SUITE_P(Of, SplitNestTest, ::testing::ValuesIn(testing::ExtremumRegions()),
                         [](const ::testing::TestParamInfo<Region>& info) { return info.param.name; });

// The parts, and each step among them.
TEST(SplitNest, PartsAreParallel) {
  const testing::Values values = {{"n", 1000}};
  const v1::Scop scop = testing::RegionScop("for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; k = i; }");
  const auto before = testing::Analysis::Make(scop, values).value();
  EXPECT_EQ(testing::ScheduledBands(*before), "0/1");
  const auto split = Split(scop, values, {.least = 1, .most = 100, .each = 2, .neighbours = 4, .joined = 8});
  ASSERT_TRUE(split.has_value());
  const auto after = testing::Analysis::Make(*split, values).value();
  EXPECT_EQ(testing::ScheduledBands(*after), "1/2 1/2 0/1") << "rounds of 100 parts, of 13, the last one";
}

TEST(SplitNest, NotOfFewIterations) {
  const v1::Scop scop = testing::RegionScop(testing::ExtremumRegions()[0].text);
  EXPECT_FALSE(Split(scop, {{"n", 1000}}, PartLimits()).has_value());
  EXPECT_TRUE(Split(scop, {{"n", 10000}}, PartLimits()).has_value());
}

}  // namespace
}  // namespace tune
