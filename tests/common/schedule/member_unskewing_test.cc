#include "common/schedule/member_unskewing.h"

#include <gtest/gtest.h>

#include "common/schedule/legality.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

isl::schedule Unskewed(IslContext& context, const std::string& band) {
  const isl::schedule schedule(
      context.ctx(),
      absl::StrCat("{ domain: \"[n] -> { S[i, j, k] : 0 <= i, j, k < n }\", child: ", band, " }"));
  return UnskewMembers(context, schedule).value();
}

// The members of the root's child, as text.
std::string Members(const isl::schedule& schedule) {
  return IslText(schedule.root().child(0).as<isl::schedule_node_band>().partial_schedule());
}

TEST(MemberUnskewing, TakesCoincidentMembersOutOfOthers) {
  IslContext context;
  const isl::schedule found = Unskewed(context,
                                       "{ schedule: \"[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] "
                                       "}, { S[i, j, k] -> [(k - i)] }]\", "
                                       "permutable: 1, coincident: [ 1, 1, 0 ] }");
  EXPECT_EQ(Members(found),
            "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]");
  const auto band = found.root().child(0).as<isl::schedule_node_band>();
  EXPECT_TRUE(band.permutable());
  EXPECT_TRUE(band.member_get_coincident(0));
  EXPECT_FALSE(band.member_get_coincident(2));
}

TEST(MemberUnskewing, LeavesSkewsThatDependencesNeed) {
  IslContext context;
  const std::string band =
      "{ schedule: \"[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(i + j)] }]\", permutable: 1, "
      "coincident: [ 0, 1 ], child: { schedule: \"[n] -> [{ S[i, j, k] -> [(i + k)] }]\" } }";
  EXPECT_EQ(Members(Unskewed(context, band)),
            "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(i + j)] }]");
}

// T has one loop fewer: that it takes an iterator more counts less than what S is rid of.
TEST(MemberUnskewing, DeepStatementsComeFirst) {
  IslContext context;
  const isl::schedule schedule(
      context.ctx(),
      "{ domain: \"[n] -> { S[i, j, k] : 0 <= j < n and 0 <= k < i < n; T[i, j] : 0 <= i, j < n }\", child: "
      "{ "
      "schedule: \"[n] -> [{ S[i, j, k] -> [(k)]; T[i, j] -> [(i)] }, { S[i, j, k] -> [(i - k)]; T[i, j] -> "
      "[(1)] }, { S[i, j, k] -> [(j)]; T[i, j] -> [(j)] }]\", permutable: 1, coincident: [ 1, 0, 1 ] } }");
  EXPECT_EQ(
      Members(UnskewMembers(context, schedule).value()),
      "[n] -> [{ S[i, j, k] -> [(k)]; T[i, j] -> [(i)] }, { T[i, j] -> [(1 + i)]; S[i, j, k] -> [(i)] }, "
      "{ S[i, j, k] -> [(j)]; T[i, j] -> [(j)] }]");
}

TEST(MemberUnskewing, SchedulesStayLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    IslContext context;
    const auto scop = ParseScop(context, WithParameterFacts(sample.make(), sample.small)).value();
    const Dependences dependences = ComputeDependences(context, *scop).value();
    for (const bool serialize : {false, true}) {
      ScheduleOptions options;
      options.serialize_sccs = serialize;
      const isl::schedule schedule = ComputeSchedule(context, *scop, dependences, options).value();
      const absl::StatusOr<isl::schedule> unskewed = UnskewMembers(context, schedule);
      ASSERT_TRUE(unskewed.ok()) << unskewed.status();
      const absl::Status legal = CheckLegal(context, *unskewed, *scop, dependences);
      EXPECT_TRUE(legal.ok()) << legal;
    }
  }
}

}  // namespace
}  // namespace tune
