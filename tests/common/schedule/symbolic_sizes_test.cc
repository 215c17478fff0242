#include "common/schedule/symbolic_sizes.h"

#include <gtest/gtest.h>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/schedule/legality.h"
#include "common/schedule/scheduler.h"
#include "tests/common/testing/enumeration.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

// Sums rows into one scalar, all sizes being numbers.
v1::Scop ConstantScalarTemp() {
  using testing::Literal;
  using testing::Multiply;
  using testing::Read;
  return testing::ScopBuilder("constant", {}, "1 = 1")
      .Array("s", {})
      .Array("A", {"18", "20"})
      .Array("y", {"18"})
      .Begin("i", "0 <= i < 18")
      .Assign({"s", ""}, {}, Literal("0.0"))
      .Begin("j", "0 <= j < 20")
      .Update(v1::ADD, {"s", ""}, {{"A", "i, j"}}, Multiply(Read(0), Read(0)))
      .End()
      .Assign({"y", "i"}, {{"s", ""}}, Read(0))
      .End()
      .Build();
}

TEST(SymbolicSizesTest, GeneralisedRelationsContainTheOriginal) {
  IslContext context;
  const isl::union_set domain(
      context.ctx(), "[n] -> { S[i, j] : 0 <= i < 130 and 1 <= j <= 128 and j < n; T[i] : 0 <= i < 10 }");
  const isl::union_map relation(
      context.ctx(),
      "[n] -> { S[i, 128] -> S[i + 1, 1] : 0 <= i < 129; S[i, j] -> T[5] : 2i + j <= 257; "
      "S[i, j] -> T[i] : exists e : i = 2e and i < 130 }");
  const SymbolicSizes sizes(domain, relation);
  const isl::union_map general = sizes.Generalise(relation);
  EXPECT_FALSE(general.is_subset(relation));
  // 128, 129, 130 are one group, 257 is another.
  const isl::set real = isl::set(context.ctx(), "[p, q] -> { : p = 128 and q = 257 }");
  isl::set values = isl::set::universe(sizes.context().space());
  ASSERT_EQ(Dimensions(values, isl_dim_param), 2);
  values = Fix(Fix(values, isl_dim_param, 0, 128), isl_dim_param, 1, 257);
  const isl::set fixed = values;
  EXPECT_TRUE(fixed.is_subset(sizes.context()));
  EXPECT_TRUE(general.intersect_params(fixed).is_equal(relation.intersect_params(fixed)));
  EXPECT_TRUE(sizes.Generalise(domain).intersect_params(fixed).is_equal(domain.intersect_params(fixed)));
}

TEST(SymbolicSizesTest, InstantiateUndoesGeneralise) {
  IslContext context;
  const isl::union_set domain(context.ctx(),
                              "[n] -> { S[i, j] : 0 <= i < 130 and 0 <= j < n; T[i] : 0 <= i < 200 }");
  const SymbolicSizes sizes(domain, isl::union_map::empty(context.ctx()));
  const isl::schedule schedule(context.ctx(),
                               "{ domain: \"[n] -> { S[i, j] : 0 <= i < 130 and 0 <= j < n; T[i] : 0 <= i < "
                               "200 }\", child: { schedule: \"[n] -> [{"
                               " S[i, j] -> [(i + 130)]; T[i] -> [(2i)] }, { S[i, j] -> [(j + n)]; T[i] -> "
                               "[(floor(i/3))] }]\", permutable: 1,"
                               " coincident: [ 1, 0 ], child: { set: [ { filter: \"{ S[i, j] }\" }, { "
                               "filter: \"{ T[i] : i < 3 }\" }, { filter: \"{"
                               " T[i] : i >= 3 }\", child: { schedule: \"[{ T[i] -> [(i)] }]\" } } ] } } }");
  const isl::schedule copy = sizes.Instantiate(schedule, domain);
  EXPECT_TRUE(copy.domain().is_equal(domain));
  EXPECT_TRUE(copy.map().intersect_domain(domain).is_equal(schedule.map().intersect_domain(domain)))
      << IslText(copy);
  const auto band = copy.root().child(0).as<isl::schedule_node_band>();
  EXPECT_TRUE(band.permutable());
  EXPECT_TRUE(band.member_get_coincident(0));
  EXPECT_FALSE(band.member_get_coincident(1));
  ASSERT_TRUE(band.child(0).isa<isl::schedule_node_set>());
  EXPECT_EQ(band.child(0).n_children(), 3u);
  EXPECT_EQ(IslText(copy).find("size#"), std::string::npos);
}

TEST(SymbolicSizesTest, ConstantSizesDoNotMergeLoops) {
  IslContext context;
  const auto scop = ParseScop(context, ConstantScalarTemp()).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const auto schedule = ComputeSchedule(context, *scop, dependences, {});
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(CheckLegal(context, *schedule, *scop, dependences), absl::OkStatus());
  const isl::union_map times = schedule->map().intersect_domain(schedule->domain());
  int64_t largest = 0;
  for (const auto& [instance, time] : testing::Times(times, ParameterValues(context, {}))) {
    for (const int64_t value : time) largest = std::max(largest, std::abs(value));
  }
  EXPECT_LT(largest, 40) << IslText(*schedule);
}

}  // namespace
}  // namespace tune
