#include "common/schedule/group_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/relations.h"
#include "common/schedule/hyperplane_set.h"
#include "common/schedule/loop_nest.h"
#include "common/schedule/schedule_suggestion.h"
#include "common/schedule/statement_graph.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/schedule_oracle.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Subject;

StatementGroup WholeOf(Subject& subject) {
  return StatementGroup::Whole(subject.context, *subject.scop, subject.dependences);
}

ScheduleRow RowOf(const StatementGroup& group, const std::map<std::string, Hyperplane>& rows) {
  ScheduleRow row;
  for (const auto& [name, hyperplane] : rows)
    row.times.emplace(name, TimeOf(group.domains().at(name), hyperplane, 0));
  return row;
}

// x1 and x2 from rows and columns of one matrix.
v1::Scop MvtScop() {
  using namespace testing;
  return ScopBuilder("mvt", {"n"}, "n >= 0")
      .Array("A", {"n", "n"})
      .Array("x1", {"n"})
      .Array("x2", {"n"})
      .Array("y1", {"n"})
      .Array("y2", {"n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"x1", "i"}, {{"A", "i, j"}, {"y1", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"x2", "i"}, {{"A", "j, i"}, {"y2", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

TEST(StatementGraphTest, ComponentsAndTheirOrder) {
  IslContext context;
  const StatementGraph graph(
      {"S0", "S1", "S2", "S3", "S10"},
      isl::union_map(context.ctx(),
                     "{ S0[] -> S1[]; S1[] -> S3[]; S3[] -> S1[]; S3[] -> S10[]; S10[] -> S7[] }"));
  EXPECT_THAT(graph.components(),
              ElementsAre(ElementsAre("S0"), ElementsAre("S1", "S3"), ElementsAre("S2"), ElementsAre("S10")));
  EXPECT_TRUE(graph.Precedes(0, 1));
  EXPECT_TRUE(graph.Precedes(0, 3));
  EXPECT_FALSE(graph.Precedes(1, 0));
  EXPECT_FALSE(graph.Precedes(1, 1));
  EXPECT_FALSE(graph.Precedes(0, 2));
  EXPECT_EQ(graph.ComponentOf("S3"), 1u);
  EXPECT_EQ(JoinStatements({"S0", "S2", "S3", "S4", "S9", "S10"}), "S0,S2-S4,S9,S10");
}

TEST(StatementGroupTest, LoopsOrderDependences) {
  Subject subject(testing::Jacobi1dScop());
  const StatementGroup whole = WholeOf(subject);
  const ScheduleRow time = RowOf(whole, {{"S0", {1, 0}}, {"S1", {1, 0}}});
  const StatementGroup inside = whole.Below(time);
  EXPECT_EQ(inside.id(), whole.BelowId(time));
  EXPECT_EQ(inside.depth(), 1);
  const StatementGraph graph(inside.statements(), inside.dependences());
  EXPECT_EQ(graph.components().size(), 2u);
  EXPECT_TRUE(graph.Precedes(0, 1));
  EXPECT_FALSE(inside.IsComplete("S0"));
  const StatementGroup part = inside.Part({"S1"});
  EXPECT_EQ(part.id(), inside.PartId({"S1"}));
  EXPECT_TRUE(part.dependences().is_empty());
  EXPECT_TRUE(part.Below(RowOf(part, {{"S1", {1, 1}}})).IsComplete("S1"));
  EXPECT_FALSE(part.Below(RowOf(part, {{"S1", {2, 0}}})).IsComplete("S1"));
}

// Whatever loops stand above, isl's schedule of the rest makes a legal schedule with them.
TEST(GroupSchedulerTest, CompletesTheLoopsAbove) {
  Subject subject(testing::TriangularScop());
  const isl::set values = ParameterValues(subject.context, {{"n", 5}});
  const testing::Pairs memory = testing::Interpreter(*subject.scop, values).Run().memory;
  const StatementGroup whole = WholeOf(subject);
  const auto schedule =
      ScheduleStatementGroup(subject.context, *subject.scop, whole, GroupFusion::kByScheduler, false);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  testing::ExpectLegal(subject.context, *subject.scop, subject.dependences, *schedule, memory, values);
  // One level, then two, of isl's own loops; the rest anew.
  StatementGroup group = whole;
  LoopNest nest{whole.statements(), {}, {}, true};
  ScheduleSuggestion place(*schedule);
  for (int level = 0; level < 2 && place.loops() > 0; ++level) {
    const ScheduleRow row = place.Row(0, group.statements());
    nest.bands.push_back({{row}, {false}});
    group = group.Below(row);
    const auto rest =
        ScheduleStatementGroup(subject.context, *subject.scop, group, GroupFusion::kByScheduler, false);
    ASSERT_TRUE(rest.ok()) << rest.status();
    isl::union_map above = BuildSchedule(whole.domain(), nest).map().intersect_domain(whole.domain());
    const isl::union_map times = FlatRangeProduct(above, rest->map().intersect_domain(whole.domain()));
    testing::ExpectRespects(testing::Times(times, values), memory);
    place = ScheduleSuggestion(*rest);
  }
}

TEST(GroupSchedulerTest, RowsAboveAreNotTakenAgain) {
  Subject subject(testing::GemmScop());
  StatementGroup update = WholeOf(subject).Part({"S1"});
  update = update.Below(RowOf(update, {{"S1", {1, 0, 0}}})).Below(RowOf(update, {{"S1", {0, 0, 1}}}));
  const auto schedule =
      ScheduleStatementGroup(subject.context, *subject.scop, update, GroupFusion::kByScheduler, false);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  const ScheduleSuggestion place(*schedule);
  ASSERT_EQ(place.loops(), 1u);
  EXPECT_EQ(HyperplaneOf(place.Row(0, {"S1"}).times.at("S1")), Hyperplane({0, 1, 0}));
  EXPECT_EQ(ParallelMembers(*schedule), 0);
}

TEST(GroupSchedulerTest, IndependentStatementsCanBeForcedTogether) {
  Subject subject(MvtScop());
  const StatementGroup whole = WholeOf(subject);
  const auto apart =
      ScheduleStatementGroup(subject.context, *subject.scop, whole, GroupFusion::kByScheduler, false);
  ASSERT_TRUE(apart.ok()) << apart.status();
  EXPECT_EQ(ScheduleSuggestion(*apart).loops(), 0u);
  EXPECT_EQ(ScheduleSuggestion(*apart).Parts(whole.statements()).size(), 2u);
  const auto together =
      ScheduleStatementGroup(subject.context, *subject.scop, whole, GroupFusion::kForced, false);
  ASSERT_TRUE(together.ok()) << together.status();
  EXPECT_GE(ScheduleSuggestion(*together).loops(), 1u);
  EXPECT_EQ(CheckLegal(subject.context, *together, *subject.scop, subject.dependences), absl::OkStatus());
}

TEST(GroupSchedulerTest, IllegalFusionIsRefused) {
  Subject subject(testing::ZeroDimScop());  // a sum, and what is done with it
  const auto schedule = ScheduleStatementGroup(
      subject.context, *subject.scop, WholeOf(subject).Part({"S0", "S2"}), GroupFusion::kForced, false);
  EXPECT_TRUE(absl::IsFailedPrecondition(schedule.status())) << schedule.status();
  EXPECT_THAT(std::string(schedule.status().message()), HasSubstr("S0,S2"));
}

TEST(ScheduleSuggestionTest, FollowsATree) {
  Subject subject(testing::GemmScop());
  const isl::schedule tree(
      subject.context.ctx(),
      "{ domain: \"[ni, nj, nk] -> { S0[i, j] : 0 <= i < ni and 0 <= j < nj;"
      " S1[i, k, j] : 0 <= i < ni and 0 <= j < nj and 0 <= k < nk }\","
      " child: { schedule: \"[ni, nj, nk] -> [{ S0[i, j] -> [(i)]; S1[i, k, j] -> [(i)] },"
      " { S0[i, j] -> [(j)]; S1[i, k, j] -> [(j)] }]\","
      " child: { sequence: [ { filter: \"{ S0[i, j] }\" },"
      " { filter: \"{ S1[i, k, j] }\", child: { schedule: \"[{ S1[i, k, j] -> [(k)] }]\" } } ] } } }");
  const std::vector<std::string> both = {"S0", "S1"};
  const ScheduleSuggestion root(tree);
  EXPECT_EQ(root.loops(), 2u);
  EXPECT_FALSE(root.is_begun());
  EXPECT_THAT(root.Parts(both), ElementsAre(both));
  const ScheduleSuggestion second = root.Below(1);
  EXPECT_TRUE(second.is_begun());
  EXPECT_EQ(HyperplaneOf(second.Row(0, both).times.at("S1")), Hyperplane({1, 0, 0}));
  const ScheduleSuggestion inner = second.Below(0);
  EXPECT_EQ(inner.loops(), 0u);
  EXPECT_THAT(inner.Parts(both), ElementsAre(ElementsAre("S0"), ElementsAre("S1")));
  EXPECT_EQ(inner.For({"S1"}, true).loops(), 1u);
  EXPECT_TRUE(inner.For(both, false).empty());
  EXPECT_TRUE(root.For({"S1"}, true).empty());
  EXPECT_EQ(root.For({"S1"}, false).loops(), 2u);
  EXPECT_TRUE(ScheduleSuggestion().empty());
}

TEST(LoopNestTest, BuildsBandsAndSequences) {
  Subject subject(testing::GemmScop());
  const StatementGroup whole = WholeOf(subject);
  LoopNest nest{{"S0", "S1"}, {}, {}, true};
  nest.bands.push_back(
      {{RowOf(whole, {{"S0", {1, 0}}, {"S1", {1, 0, 0}}}), RowOf(whole, {{"S0", {0, 1}}, {"S1", {0, 0, 1}}})},
       {true, true}});
  nest.children.push_back({{"S0"}, {}, {}, true});
  nest.children.push_back({{"S1"}, {{{RowOf(whole, {{"S1", {0, 1, 0}}})}, {false}}}, {}, true});
  const isl::schedule schedule = BuildSchedule(whole.domain(), nest);
  EXPECT_EQ(CheckLegal(subject.context, schedule, *subject.scop, subject.dependences), absl::OkStatus());
  const auto band = schedule.root().child(0).as<isl::schedule_node_band>();
  EXPECT_EQ(band.n_member(), 2u);
  EXPECT_TRUE(band.permutable());
  EXPECT_TRUE(band.member_get_coincident(1));
  EXPECT_TRUE(band.child(0).isa<isl::schedule_node_sequence>());
  nest.ordered = false;
  EXPECT_TRUE(BuildSchedule(whole.domain(), nest).root().child(0).child(0).isa<isl::schedule_node_set>());
}

}  // namespace
}  // namespace tune
