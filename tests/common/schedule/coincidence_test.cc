#include "common/schedule/coincidence.h"

#include <gtest/gtest.h>

#include "common/dependence/dependence.h"
#include "common/schedule/legality.h"
#include "common/schedule/scheduler.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

// "10" where the first member of the band stays coincident and the second does not.
std::string Coincident(const std::string& band, const std::string& dependences) {
  IslContext context;
  const isl::schedule schedule(
      context.ctx(), absl::StrCat("{ domain: \"[n] -> { S[i, j] : 0 <= i, j < n }\", child: { schedule: "
                                  "\"[n] -> [",
                                  band, "]\", permutable: 1, coincident: [ 1, 1 ] } }"));
  const isl::schedule checked =
      WithCoincidenceOf(isl::union_map(context.ctx(), "[n] -> " + dependences), schedule);
  const auto node = checked.root().child(0).as<isl::schedule_node_band>();
  EXPECT_TRUE(node.permutable());
  return absl::StrCat(node.member_get_coincident(0), node.member_get_coincident(1));
}

TEST(Coincidence, IsEqualValuesAtBothEnds) {
  const std::string plain = "{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }";
  EXPECT_EQ(Coincident(plain, "{ S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n - 1 }"), "10");
  EXPECT_EQ(Coincident(plain, "{ S[i, j] -> S[i + 1, j] : 0 <= i < n - 1 and 0 <= j < n }"), "01");
  EXPECT_EQ(Coincident(plain, "{ S[i, j] -> S[i + 1, j + 1] : 0 <= i, j < n - 1 }"), "00");
  EXPECT_EQ(Coincident(plain, "{ S[i, j] -> T[i + 1, j + 1] : 0 <= i, j < n - 1 }"), "11");
  const std::string skewed = "{ S[i, j] -> [(i)] }, { S[i, j] -> [(i + j)] }";
  EXPECT_EQ(Coincident(skewed, "{ S[i, j] -> S[i + 1, j - 1] : 0 <= i < n - 1 and 1 <= j < n }"), "01");
}

// What isl says of its own schedules holds; with reductions counted as parallel it must be looked up.
TEST(Coincidence, AgreesWithTheScheduler) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    IslContext context;
    const auto scop = ParseScop(context, WithParameterFacts(sample.make(), sample.small)).value();
    const Dependences dependences = ComputeDependences(context, *scop).value();
    ScheduleOptions options;
    const isl::schedule plain = ComputeSchedule(context, *scop, dependences, options).value();
    EXPECT_EQ(IslText(WithCoincidenceOf(dependences.validity(), plain)), IslText(plain));
    options.parallel_reductions = true;
    const isl::schedule reduced = ComputeSchedule(context, *scop, dependences, options).value();
    EXPECT_EQ(IslText(WithCoincidenceOf(dependences.validity(), reduced)), IslText(reduced));
    const absl::Status legal = CheckLegal(context, reduced, *scop, dependences);
    EXPECT_TRUE(legal.ok()) << legal;
  }
}

}  // namespace
}  // namespace tune
