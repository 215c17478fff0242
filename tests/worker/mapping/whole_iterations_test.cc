#include "worker/mapping/whole_iterations.h"

#include <gtest/gtest.h>

#include "common/mapping/loop_mark.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

// A marked loop over S[0..9] and T[first..first + 9], each iteration S before T.
isl::schedule MarkedLoop(IslContext& context, int first, const LoopMark& mark) {
  const std::string bounds = std::to_string(first) + " <= i < " + std::to_string(first + 10);
  const isl::schedule tree(context.ctx(),
                           "{ domain: \"{ S[i] : 0 <= i < 10; T[i] : " + bounds +
                               " }\", child: { schedule: \"[{ S[i] -> [(i)]; T[i] -> [(i)] }]\", child: { "
                               "sequence: [ { filter: \"{ S[i] }\" }, { filter: \"{ T[i] }\" } ] } } }");
  return InsertMark(tree.root().child(0), PrintLoopMark(mark)).schedule();
}

std::vector<LoopMark> MarksOf(const isl::schedule& tree) {
  std::vector<LoopMark> marks;
  tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (node.isa<isl::schedule_node_mark>()) marks.push_back(*ParseLoopMark(MarkName(node)));
    return true;
  });
  return marks;
}

isl_ast_loop_type LoopType(const isl::schedule& tree) {
  const isl::schedule_node band = tree.root().child(0).child(0);
  return isl_schedule_node_band_member_get_ast_loop_type(band.get(), 0);
}

const LoopMark kPlain = {.parallel = true, .unroll = 4};
const LoopMark kPrivate = {.parallel = true, .unroll = 4, .local = {"a"}, .last = {"b"}};

TEST(WholeIterations, LoopsWithPrivateVariablesAreAtomic) {
  IslContext context;
  const isl::schedule kept = KeepIterationsWhole(MarkedLoop(context, 5, kPrivate));
  EXPECT_EQ(MarksOf(kept), std::vector<LoopMark>{kPrivate});
  EXPECT_EQ(LoopType(kept), isl_ast_loop_atomic);
}

TEST(WholeIterations, OtherLoopsMayBeTakenApart) {
  IslContext context;
  const isl::schedule kept = KeepIterationsWhole(MarkedLoop(context, 5, kPlain));
  EXPECT_EQ(MarksOf(kept), std::vector<LoopMark>{kPlain});
  EXPECT_EQ(LoopType(kept), isl_ast_loop_default);
}

// All of S come before T but in one iteration, which isl's atomic loops do not keep whole.
TEST(WholeIterations, ComponentsAreNeitherParallelNorPrivate) {
  IslContext context;
  const isl::schedule kept = KeepIterationsWhole(MarkedLoop(context, 9, kPrivate));
  EXPECT_EQ(MarksOf(kept), std::vector<LoopMark>{{.unroll = 4}});
}

}  // namespace
}  // namespace tune
