#include "common/schedule/single_instances.h"

#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;

// x[i] += A[i][k] B[k][j] and the scalar `last`, which is read before the sums or written after them.
v1::Scop SumsAndOne(bool reads_sum) {
  ScopBuilder builder("sums", {"n"}, "n >= 4");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"}).Array("C", {"n", "n"}).Array("last", {});
  if (!reads_sum) builder.Assign({"last", ""}, {{"B", "0, 0"}}, Read(0));
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n").Begin("k", "0 <= k < n");
  if (reads_sum) {
    builder.Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)));
  } else {
    builder.Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"last", ""}}, Multiply(Read(0), Read(1)));
  }
  builder.End().End().End();
  if (reads_sum) builder.Assign({"last", ""}, {{"C", "n - 1, n - 1"}}, Read(0));
  return builder.Build();
}

// As a scheduler may have it: one band, moved so that the single statement is in its place.
isl::schedule InOneBand(IslContext& context, const std::string& sum, const std::string& single,
                        const std::string& shift, const std::string& first, const std::string& second) {
  return isl::schedule(
      context.ctx(),
      absl::StrCat("{ domain: \"[n] -> { ", sum, "[i, j, k] : n >= 4 and 0 <= i, j, k < n; ", single,
                   "[] : n >= 4 }\", child: { schedule: \"[n] -> [{ ", sum, "[i, j, k] -> [(i)]; ", single,
                   "[] -> [(n - 1)] }, { ", sum, "[i, j, k] -> [(j", shift, ")]; ", single, "[] -> [(n - 1",
                   shift, ")] }, { ", sum, "[i, j, k] -> [(k)]; ", single,
                   "[] -> [(n - 1)] }]\", permutable: 1, coincident: [ 1, 1, 0 ], child: { sequence: [ "
                   "{ filter: \"[n] -> { ",
                   first, " }\" }, { filter: \"[n] -> { ", second, " }\" } ] } } }"));
}

TEST(SingleInstances, ComeBehindTheLoops) {
  IslContext context;
  const auto scop = ParseScop(context, SumsAndOne(/*reads_sum=*/true)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule made = InOneBand(context, "S0", "S1", " + 3", "S0[i, j, k]", "S1[]");
  const isl::schedule found = SingleInstancesBehind(context, made, *scop, dependences).value();
  const isl::schedule_node sequence = found.root().child(0);
  ASSERT_TRUE(sequence.isa<isl::schedule_node_sequence>()) << IslText(found);
  ASSERT_EQ(sequence.n_children(), 2u);
  const isl::schedule_node band = sequence.child(0).child(0);
  ASSERT_TRUE(band.isa<isl::schedule_node_band>());
  // Without the shift, and with its flags.
  EXPECT_EQ(IslText(band.as<isl::schedule_node_band>().partial_schedule()),
            "[n] -> [{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(k)] }]");
  EXPECT_TRUE(band.as<isl::schedule_node_band>().permutable());
  EXPECT_TRUE(band.as<isl::schedule_node_band>().member_get_coincident(1));
  EXPECT_FALSE(band.as<isl::schedule_node_band>().member_get_coincident(2));
  EXPECT_TRUE(sequence.child(1).child(0).isa<isl::schedule_node_leaf>());
}

TEST(SingleInstances, StayWhereTheLoopsNeedThem) {
  IslContext context;
  const auto scop = ParseScop(context, SumsAndOne(/*reads_sum=*/false)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule made(
      context.ctx(),
      "{ domain: \"[n] -> { S0[] : n >= 4; S1[i, j, k] : n >= 4 and 0 <= i, j, k < n }\", child: { schedule: "
      "\"[n] -> [{ S0[] -> [(0)]; S1[i, j, k] -> [(i)] }]\", child: { sequence: [ { filter: \"[n] -> { S0[] "
      "}\" }, { filter: \"[n] -> { S1[i, j, k] }\", child: { schedule: \"[n] -> [{ S1[i, j, k] -> [(j)] }, "
      "{ S1[i, j, k] -> [(k)] }]\" } } ] } } }");
  const isl::schedule found = SingleInstancesBehind(context, made, *scop, dependences).value();
  EXPECT_EQ(IslText(found), IslText(made));
}

TEST(SingleInstances, StayInLoopsThatAreNotDeep) {
  IslContext context;
  const v1::Scop proto = ScopBuilder("row", {"n"}, "n >= 4")
                             .Array("x", {"n"})
                             .Array("last", {})
                             .Begin("i", "0 <= i < n")
                             .Assign({"x", "i"}, {}, testing::Literal("1.0"))
                             .End()
                             .Assign({"last", ""}, {{"x", "n - 1"}}, Read(0))
                             .Build();
  const auto scop = ParseScop(context, proto).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule made(
      context.ctx(),
      "{ domain: \"[n] -> { S0[i] : n >= 4 and 0 <= i < n; S1[] : n >= 4 }\", child: { schedule: \"[n] -> [{ "
      "S0[i] -> [(i)]; S1[] -> [(n - 1)] }]\", child: { sequence: [ { filter: \"[n] -> { S0[i] }\" }, { "
      "filter: \"[n] -> { S1[] }\" } ] } } }");
  const isl::schedule found = SingleInstancesBehind(context, made, *scop, dependences).value();
  EXPECT_EQ(IslText(found), IslText(made));
}

}  // namespace
}  // namespace tune
