#include "common/isl/schedule.h"

#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"

namespace tune {
namespace {

constexpr char kMarked[] = R"({ domain: "{ S[i, j] : 0 <= i <= j <= 3 }", child: { mark: "outer",
    child: { schedule: "[{ S[i, j] -> [(i)] }]", child: { mark: "inner",
    child: { schedule: "[{ S[i, j] -> [(j)] }]" } } } } })";

isl::schedule_node WithoutMark(const isl::schedule_node& node) {
  return node.isa<isl::schedule_node_mark>() ? WithoutNode(node) : node;
}

TEST(ChangeNodes, ReachesEveryNode) {
  IslContext context;
  const isl::schedule changed = ChangeNodes(isl::schedule(context.ctx(), kMarked), WithoutMark);
  int marks = 0, bands = 0;
  changed.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    marks += node.isa<isl::schedule_node_mark>() ? 1 : 0;
    bands += node.isa<isl::schedule_node_band>() ? 1 : 0;
    return true;
  });
  EXPECT_EQ(marks, 0);
  EXPECT_EQ(bands, 2);
  EXPECT_TRUE(changed.map().is_equal(isl::schedule(context.ctx(), kMarked).map()));
}

TEST(ChangeNodes, AnExceptionComesThroughAndTheContextStaysUsable) {
  IslContext context;
  const isl::schedule schedule(context.ctx(), kMarked);
  const auto refuse = [](const isl::schedule_node& node) -> isl::schedule_node {
    if (node.isa<isl::schedule_node_band>()) throw std::runtime_error("no bands here");
    return node;
  };
  EXPECT_THROW(ChangeNodes(schedule, refuse), std::runtime_error);
  EXPECT_EQ(IslText(ChangeNodes(schedule, [](isl::schedule_node node) { return node; })), IslText(schedule));
}

}  // namespace
}  // namespace tune
