#include "common/schedule/analysed_scop.h"

#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

TEST(AnalysedScopTest, SchedulesOfEqualOptionsAreComputedOnce) {
  IslContext context;
  const auto scop = ParseScop(context, testing::GemmScop()).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  AnalysedScop analysed(context, *scop, dependences);
  EXPECT_EQ(analysed.computed(), 0);
  const isl::schedule first = analysed.Schedule().value();
  EXPECT_EQ(analysed.Schedule().value().get(), first.get());
  EXPECT_EQ(analysed.Schedule(ScheduleOptions()).value().get(), first.get());
  EXPECT_EQ(analysed.computed(), 1);
  EXPECT_NE(IslText(analysed.Schedule({.serialize_sccs = true}).value()), IslText(first));
  EXPECT_EQ(analysed.computed(), 2);
}

TEST(AnalysedScopTest, AFailureIsKnownToo) {
  IslContext context({.operations = 2'000'000});
  const auto scop = ParseScop(context, testing::GemmScop()).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  AnalysedScop analysed(context, *scop, dependences);
  context.set_limits({.operations = 1});
  EXPECT_TRUE(absl::IsResourceExhausted(analysed.Schedule().status()));
  context.set_limits({});
  EXPECT_TRUE(absl::IsResourceExhausted(analysed.Schedule().status()));
  EXPECT_EQ(analysed.computed(), 1);
}

}  // namespace
}  // namespace tune
