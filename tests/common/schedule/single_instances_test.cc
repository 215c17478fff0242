#include "common/schedule/single_instances.h"

#include <gtest/gtest.h>

#include <algorithm>

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

// C[i][j] += A[i][k] B[k][j], and the last row of it, or a row that is set before.
v1::Scop SumsAndRow(bool before) {
  ScopBuilder builder("row", {"n"}, "n >= 4");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"}).Array("C", {"n", "n"}).Array("x", {"n"});
  const auto row = [&](const testing::Element& target, const testing::Element& read) {
    builder.Begin("j", "0 <= j < n").Assign(target, {read}, Read(0)).End();
  };
  if (before) row({"C", "n - 1, j"}, {"x", "j"});
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n").Begin("k", "0 <= k < n");
  builder.Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)));
  builder.End().End().End();
  if (!before) row({"x", "j"}, {"C", "n - 1, j"});
  return builder.Build();
}

// The row in iteration n - 1 of the sums' first loop, beside them.
isl::schedule WithRow(IslContext& context, const std::string& sum, const std::string& row,
                      const std::string& time_of_row, const std::string& flags) {
  const std::string sums = absl::StrCat(sum, "[i, j, k]"), rows = absl::StrCat(row, "[j]");
  return isl::schedule(
      context.ctx(),
      absl::StrCat("{ domain: \"[n] -> { ", sums, " : n >= 4 and 0 <= i, j, k < n; ", rows,
                   " : n >= 4 and 0 <= j < n }\", child: { schedule: \"[n] -> [{ ", sums, " -> [(1 + i)]; ",
                   rows, " -> [(n)] }, { ", sums, " -> [(j)]; ", rows, " -> [(j)] }, { ", sums, " -> [(k)]; ",
                   rows, " -> [(", time_of_row, ")] }]\", permutable: 1, coincident: [ ", flags,
                   " ], child: { sequence: [ { filter: \"[n] -> { ", std::min(sums, rows),
                   " }\" }, { filter: \"[n] -> { ", std::max(sums, rows), " }\" } ] } } }"));
}

TEST(SingleInstances, RowsOfOneIterationComeBehindTheLoops) {
  IslContext context;
  const auto scop = ParseScop(context, SumsAndRow(/*before=*/false)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule made = WithRow(context, "S0", "S1", "n", "1, 1, 0");
  const isl::schedule found = SingleInstancesBehind(context, made, *scop, dependences).value();
  const isl::schedule_node sequence = found.root().child(0);
  ASSERT_TRUE(sequence.isa<isl::schedule_node_sequence>()) << IslText(found);
  EXPECT_EQ(IslText(sequence.child(0).child(0).as<isl::schedule_node_band>().partial_schedule()),
            "[n] -> [{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(k)] }]");
  ASSERT_TRUE(sequence.child(1).child(0).isa<isl::schedule_node_band>()) << IslText(found);
  // In one iteration of the sum's loop alone: what comes behind a sum is in its kernel.
  const isl::schedule serial = WithRow(context, "S0", "S1", "n", "0, 1, 0");
  EXPECT_EQ(IslText(SingleInstancesBehind(context, serial, *scop, dependences).value()), IslText(serial));
}

TEST(SingleInstances, RowsThatTheLoopsNeedStay) {
  IslContext context;
  const auto scop = ParseScop(context, SumsAndRow(/*before=*/true)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule made = WithRow(context, "S1", "S0", "0", "1, 1, 0");
  EXPECT_EQ(IslText(SingleInstancesBehind(context, made, *scop, dependences).value()), IslText(made));
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
