#include "common/isl/schedule_node.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

isl::schedule Tree(const IslContext& context) {
  return isl::schedule(context.ctx(), R"({ domain: "{ S[i] : 0 <= i < 9; T[] }", child: { sequence: [
      { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [i] }]" } }, { filter: "{ T[] }" } ] } })");
}

TEST(ScheduleNode, DomainIsWhatReachesTheNode) {
  IslContext context;
  const isl::schedule_node band = Tree(context).root().child(0).child(0).child(0);
  EXPECT_TRUE(NodeDomain(band).is_equal(isl::union_set(context.ctx(), "{ S[i] : 0 <= i < 9 }")));
}

TEST(ScheduleNode, DepthCountsTheMembersAbove) {
  IslContext context;
  const isl::schedule_node band = Tree(context).root().child(0).child(0).child(0);
  EXPECT_EQ(ScheduleDepth(band), 0);
  EXPECT_EQ(ScheduleDepth(band.child(0)), 1);
}

TEST(ScheduleNode, ItsChildTakesTheDeletedOnesPlace) {
  IslContext context;
  const isl::schedule_node band = Tree(context).root().child(0).child(0).child(0);
  const isl::schedule_node without = WithoutNode(band);
  EXPECT_FALSE(without.isa<isl::schedule_node_band>());
  EXPECT_EQ(ScheduleDepth(without), 0);
  EXPECT_TRUE(NodeDomain(without).is_equal(NodeDomain(band)));
}

TEST(ScheduleNode, OfNothingThereIsAnError) {
  EXPECT_THROW(NodeDomain(isl::schedule_node()), isl::exception);
}

}  // namespace
}  // namespace tune
