#include "common/transform/index_split/index_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Call;
using ::testing::ElementsAre;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

const Values kFive = {{"n", 5}};

std::optional<v1::Scop> Split(Analysis& analysis) {
  return SplitIndexSets(analysis.context, *analysis.scop, analysis.dependences).value();
}

std::vector<std::string> Domains(const v1::Scop& scop) {
  std::vector<std::string> domains;
  for (const v1::Statement& statement : scop.statements()) domains.push_back(statement.domain());
  return domains;
}

// { S of `split` -> S of `original` }, by lines, which are different in scops of ScopBuilder.
isl::union_map OriginOf(const ParsedScop& split, const ParsedScop& original) {
  isl::union_map origin = isl::union_map::empty(split.domain.ctx());
  for (const ParsedStatement& piece : split.statements) {
    for (const ParsedStatement& whole : original.statements) {
      if (piece.proto->line() != whole.proto->line()) continue;
      const isl::map same = IdentityMap(piece.domain.space().map_from_set());
      const isl::map renamed = WithTupleName(same, isl_dim_out, whole.name);
      origin = origin.unite(renamed.intersect_domain(piece.domain));
    }
  }
  return origin;
}

// `split` in the context of `analysis`, on whose scop it must be the same instances in the same order.
void ExpectSameOrder(Analysis& analysis, const v1::Scop& split) {
  const auto parsed = ParseScop(analysis.context, split);
  ASSERT_TRUE(parsed.ok()) << parsed.status() << PrintScop(split);
  const isl::union_map origin = OriginOf(**parsed, *analysis.scop);
  EXPECT_TRUE(origin.is_bijective());  // pieces are disjoint
  EXPECT_TRUE(origin.range().is_equal(analysis.scop->domain));
  EXPECT_TRUE((*parsed)->schedule.domain().is_equal((*parsed)->domain));
  EXPECT_TRUE((*parsed)->schedule.map().apply_domain(origin).is_equal(
      analysis.scop->schedule.map().intersect_domain(analysis.scop->domain)));
  const auto found = ComputeDependences(analysis.context, **parsed);
  ASSERT_TRUE(found.ok()) << found.status();
  const auto mapped = [&](const isl::union_map& pairs) {
    return pairs.apply_domain(origin).apply_range(origin);
  };
  EXPECT_TRUE(mapped(found->flow).is_equal(analysis.dependences.flow));
  EXPECT_TRUE(mapped(found->false_dependences).is_equal(analysis.dependences.false_dependences));
  EXPECT_TRUE(found->live_in.apply_domain(origin).is_equal(analysis.dependences.live_in));
  EXPECT_TRUE(found->live_out.apply_domain(origin).is_equal(analysis.dependences.live_out));
}

// What the statements are split into; empty: not at all. Checks the result against the original: order,
// dependences, and what it computes, in its own order and in the one that isl's scheduler finds.
std::vector<std::string> SplitDomains(const v1::Scop& scop, const Values& values) {
  const auto analysis = Analysis::Make(scop, values).value();
  const std::optional<v1::Scop> split = Split(*analysis);
  if (!split) return {};
  ExpectSameOrder(*analysis, *split);
  testing::ExpectSameResults(scop, *split, values);
  const auto rescheduled = testing::Rescheduled(*split, values);
  EXPECT_TRUE(rescheduled.ok()) << rescheduled.status();
  if (rescheduled.ok()) testing::ExpectSameResults(scop, *rescheduled, values);
  return Domains(*split);
}

v1::Scop ShortestPaths() {
  return ScopBuilder("paths", {"n"}, "n >= 4")
      .Array("A", {"n", "n"})
      .Begin("k", "0 <= k < n")
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Update(v1::MIN, {"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}}, Add(Read(0), Read(1)))
      .Build();
}

// Row and column k, which iteration k reads everywhere, and the four blocks between them.
TEST(IndexSplitTest, ShortestPaths) {
  EXPECT_THAT(SplitDomains(ShortestPaths(), kFive),
              ElementsAre("[n] -> { S0[k, i, j] : k < n and 0 <= i < k and 0 <= j < k }",
                          "[n] -> { S1[k, i = k, j] : k < n and 0 <= j < k }",
                          "[n] -> { S2[k, i, j] : k < i < n and 0 <= j < k }",
                          "[n] -> { S3[k, i, j = k] : k < n and 0 <= i < k }",
                          "[n] -> { S4[k, i = k, j = k] : 0 <= k < n }",
                          "[n] -> { S5[k, i, j = k] : k >= 0 and k < i < n }",
                          "[n] -> { S6[k, i, j] : 0 <= i < k and k < j < n }",
                          "[n] -> { S7[k, i = k, j] : k >= 0 and k < j < n }",
                          "[n] -> { S8[k, i, j] : k >= 0 and k < i < n and k < j < n }"));
}

TEST(IndexSplitTest, ShortestPathsGainParallelLoops) {
  const auto before = Analysis::Make(ShortestPaths(), kFive).value();
  const auto after = Analysis::Make(*Split(*before), kFive).value();
  EXPECT_EQ(testing::ScheduledBands(*before), "0/1");
  EXPECT_EQ(testing::ScheduledBands(*after), "0/1");
  const isl::schedule tree =
      ComputeSchedule(after->context, *after->scop, after->dependences, ScheduleOptions()).value();
  std::vector<std::string> inner;
  tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>() || ScheduleDepth(node) == 0) return true;
    const auto band = node.as<isl::schedule_node_band>();
    for (unsigned i = 0; i < band.n_member(); ++i) EXPECT_TRUE(band.member_get_coincident(i));
    const isl::union_set domain = NodeDomain(node);
    domain.foreach_set(
        [&](const isl::set& set) { inner.push_back(absl::StrCat(TupleName(set), " ", band.n_member())); });
    return false;
  });
  std::sort(inner.begin(), inner.end());
  EXPECT_THAT(inner, ElementsAre("S0 2", "S1 1", "S2 2", "S3 1", "S5 1", "S6 2", "S7 1", "S8 2"));
}

// All of what is printed but the schedule.
TEST(IndexSplitTest, OneElementThatAllOthersRead) {
  const v1::Scop scop = ScopBuilder("pivot", {"n", "m"}, "n >= 4 and 0 <= m < n")
                            .Array("a", {"n"})
                            .Array("t", {"n"}, /*declared_inside=*/true)
                            .Kill("t", "0")
                            .Begin("i", "0 <= i < n")
                            .Assign({"a", "i"}, {{"a", "i"}, {"a", "m"}}, Multiply(Read(0), Read(1)))
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Assign({"t", "i"}, {{"a", "i"}}, Read(0))
                            .Build();
  const Values values = {{"n", 7}, {"m", 3}};
  EXPECT_EQ(SplitDomains(scop, values).size(), 5u);
  const auto analysis = Analysis::Make(scop, values).value();
  const std::string text = PrintScop(*Split(*analysis));
  EXPECT_EQ(text.substr(0, text.find("schedule\n")), R"(scop pivot
parameters
  int n
  int m
context
  [n, m] -> { : n >= 4 and 0 <= m < n }
arrays
  double a[n]
  double t[n], local
statements
  S0 (line 1): declares t
    domain  [n, m] -> { S0[] }
    write  #0 [n, m] -> { S0[] -> t[0] }
  S1 (line 2): a#2 = (a#0 * a#1)
    domain  [n, m] -> { S1[i] : 0 <= i < m }
    read   #0 [n, m] -> { S1[i] -> a[i] }
    read   #1 [n, m] -> { S1[i] -> a[m] }
    write  #2 [n, m] -> { S1[i] -> a[i] }
  S2 (line 3): t#1 = a#0
    domain  [n, m] -> { S2[i] : 0 <= i < n }
    read   #0 [n, m] -> { S2[i] -> a[i] }
    write  #1 [n, m] -> { S2[i] -> t[i] }
  S3 (line 2): a#2 = (a#0 * a#1)
    domain  [n, m] -> { S3[i = m] }
    read   #0 [n, m] -> { S3[i] -> a[i] }
    read   #1 [n, m] -> { S3[i] -> a[m] }
    write  #2 [n, m] -> { S3[i] -> a[i] }
  S4 (line 2): a#2 = (a#0 * a#1)
    domain  [n, m] -> { S4[i] : m < i < n }
    read   #0 [n, m] -> { S4[i] -> a[i] }
    read   #1 [n, m] -> { S4[i] -> a[m] }
    write  #2 [n, m] -> { S4[i] -> a[i] }
)");
}

TEST(IndexSplitTest, AnElementAtTheBorderHasNothingOnOneSide) {
  const v1::Scop scop = ScopBuilder("border", {"n"}, "n >= 4")
                            .Array("a", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"a", "i"}, {{"a", "i"}, {"a", "0"}}, Multiply(Read(0), Read(1)))
                            .Build();
  EXPECT_THAT(SplitDomains(scop, kFive), ElementsAre("[n] -> { S0[i = 0] }", "[n] -> { S1[i] : 0 < i < n }"));
}

// The cut of one statement is in what another one writes: both are split.
TEST(IndexSplitTest, PathsWithTheirSuccessors) {
  const v1::Scop scop =
      ScopBuilder("successors", {"n"}, "n >= 4")
          .Array("A", {"n", "n"})
          .Array("next", {"n", "n"})
          .Begin("k", "0 <= k < n")
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Update(v1::MAX, {"next", "i, j"}, {{"A", "i, j"}, {"A", "i, k"}, {"A", "k, j"}, {"next", "i, k"}},
                  Multiply(Add(Read(0), Read(1)), Add(Read(2), Read(3))))
          .Update(v1::MIN, {"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}}, Add(Read(0), Read(1)))
          .Build();
  EXPECT_EQ(SplitDomains(scop, kFive).size(), 18u);
}

// Iterators in the body follow the statement's name.
TEST(IndexSplitTest, AffineValues) {
  v1::Expression value;
  value.set_affine("[n] -> { S0[i] -> [(n - 2i)] }");
  value.set_c_type("int");
  const v1::Scop scop = ScopBuilder("affine", {"n"}, "n >= 4")
                            .Array("a", {"n"})
                            .Begin("i", "0 <= i < n", /*decreasing=*/true)
                            .Assign({"a", "i"}, {{"a", "2"}}, Multiply(Read(0), Call("sqrt", {value})))
                            .Build();
  EXPECT_EQ(SplitDomains(scop, kFive).size(), 3u);
}

// Nothing is to be gained.
TEST(IndexSplitTest, NotSplit) {
  const auto nest = [](const std::string& i, const std::string& j) {
    ScopBuilder builder("not", {"n"}, "n >= 4");
    builder.Array("A", {"n + 1", "n + 1"}).Array("B", {"n + 1", "n + 1"});
    builder.Begin("k", "0 <= k < n").Begin("i", i).Begin("j", j);
    return builder;
  };
  // Row and column k are not written in iteration k.
  EXPECT_THAT(SplitDomains(nest("k < i < n", "k < j < n")
                               .Update(v1::ADD, {"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}},
                                       Multiply(Read(0), Read(1)))
                               .Build(),
                           kFive),
              ElementsAre());
  // Loop i is parallel.
  EXPECT_THAT(
      SplitDomains(
          nest("0 <= i < n", "0 <= j < n").Update(v1::ADD, {"A", "i, j"}, {{"A", "i, k"}}, Read(0)).Build(),
          kFive),
      ElementsAre());
  // Two accesses meet in one point of i and j; references of other arrays do not count.
  EXPECT_THAT(SplitDomains(nest("0 <= i < n", "0 <= j < n")
                               .Update(v1::ADD, {"A", "i, j"}, {{"A", "k, k"}, {"B", "i, k"}},
                                       Multiply(Read(0), Read(1)))
                               .Build(),
                           kFive),
              ElementsAre());
  // Neighbours, which meet nowhere.
  EXPECT_THAT(SplitDomains(nest("1 <= i < n", "1 <= j < n")
                               .Update(v1::ADD, {"A", "i, j"}, {{"A", "i - 1, j"}, {"A", "i, j + 1"}},
                                       Multiply(Read(0), Read(1)))
                               .Build(),
                           kFive),
              ElementsAre());
  // The pieces would still depend on themselves: a[i] on a[i - 1].
  EXPECT_THAT(
      SplitDomains(ScopBuilder("chain", {"n"}, "n >= 4")
                       .Array("a", {"n"})
                       .Begin("i", "1 <= i < n")
                       .Update(v1::ADD, {"a", "i"}, {{"a", "i - 1"}, {"a", "2"}}, Multiply(Read(0), Read(1)))
                       .Build(),
                   kFive),
      ElementsAre());
}

TEST(IndexSplitTest, NoMorePiecesThanTheLimit) {
  const auto statements = [](int count) {
    ScopBuilder builder("many", {"n"}, "n >= 6");
    for (int i = 0; i < count; ++i) builder.Array(absl::StrCat("A", i), {"n"});
    for (int i = 0; i < count; ++i) {
      const std::string name = absl::StrCat("A", i);
      builder.Begin("i", "0 <= i < n").Update(v1::ADD, {name, "i"}, {{name, "3"}}, Read(0)).End();
    }
    return builder.Build();
  };
  EXPECT_EQ(SplitDomains(statements(9), {{"n", 6}}).size(), 27u);
  EXPECT_THAT(SplitDomains(statements(10), {{"n", 6}}), ElementsAre());
}

TEST(IndexSplitTest, SampleScopsAreWhole) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    EXPECT_THAT(SplitDomains(sample.make(), sample.small), ElementsAre()) << sample.name;
  }
}

TEST(IndexSplitTest, RandomScopsKeepTheirResults) {
  int split = 0;
  for (uint64_t seed = 70; seed < 130; ++seed) {
    SCOPED_TRACE(seed);
    split += !SplitDomains(testing::MakeRandomScop(seed), {{"n", 5}}).empty();
  }
  EXPECT_EQ(split, 5);
}

}  // namespace
}  // namespace tune
