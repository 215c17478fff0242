#include "common/transform/parenthesis_blocks/parenthesis_blocks.h"

#include <gtest/gtest.h>

#include <random>

#include "common/kernel/kernel.h"
#include "common/schedule/original_schedule.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Element;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

constexpr int64_t kBlock = 4;

std::optional<v1::Scop> InBlocks(const v1::Scop& scop, const Values& values, int64_t size = kBlock,
                                 int64_t fewest = 2) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const auto blocked = BlockTables(analysed, values, size, fewest);
  EXPECT_TRUE(blocked.ok()) << blocked.status();
  return blocked.value_or(std::nullopt);
}

// The best way to split the interval from i to j, as for a chain of products of matrices.
v1::Scop Chain() {
  return ScopBuilder("chain", {"n"}, "n >= 0")
      .Array("T", {"n", "n"})
      .Array("p", {"n"})
      .Begin("d", "0 <= d < n")
      .Assign({"T", "d, d"}, {}, Literal("0.0"))
      .End()
      .Begin("l", "1 <= l < n")
      .Begin("i", "0 <= i < n - l")
      .Assign({"T", "i, i + l"}, {}, Literal("1e30"))
      .Begin("k", "i <= k < i + l")
      .Update(v1::MIN, {"T", "i, i + l"}, {{"T", "i, k"}, {"T", "k + 1, i + l"}, {"p", "k"}},
              Add(Add(Read(0), Read(1)), Read(2)))
      .End()
      .End()
      .End()
      .Build();
}

// With neighbours, from the last row up.
v1::Scop Folding(const std::string& split = "k", const std::string& bounds = "i < k < j") {
  return ScopBuilder("folding", {"n"}, "n >= 0")
      .Array("T", {"n", "n"})
      .Array("s", {"n"})
      .Begin("i", "0 <= i < n", /*decreasing=*/true)
      .Begin("j", "i < j < n")
      .Update(v1::MAX, {"T", "i, j"}, {{"T", "i, j - 1"}}, Read(0))
      .Update(v1::MAX, {"T", "i, j"}, {{"T", "i + 1, j - 1"}, {"s", "i"}, {"s", "j"}},
              Add(Read(0), Multiply(Read(1), Read(2))))
      .Begin("k", bounds)
      .Update(v1::MAX, {"T", "i, j"}, {{"T", "i, " + split}, {"T", split + " + 1, j"}}, Add(Read(0), Read(1)))
      .End()
      .End()
      .End()
      .Build();
}

TEST(ParenthesisBlocksTest, ChainsGiveTheSame) {
  for (const int n : {9, 16, 23, 31}) {
    const std::optional<v1::Scop> blocked = InBlocks(Chain(), {{"n", n}});
    ASSERT_TRUE(blocked.has_value()) << n;
    testing::ExpectSameResults(Chain(), *blocked, {{"n", n}});
  }
}

TEST(ParenthesisBlocksTest, FoldingsGiveTheSame) {
  for (const int n : {9, 16, 27}) {
    const std::optional<v1::Scop> blocked = InBlocks(Folding(), {{"n", n}});
    ASSERT_TRUE(blocked.has_value()) << n;
    testing::ExpectSameResults(Folding(), *blocked, {{"n", n}});
  }
}

// Splits counted from the row, and optimal search trees, whose root is in neither part.
TEST(ParenthesisBlocksTest, OtherSplitsGiveTheSame) {
  const v1::Scop relative = Folding("i + k", "1 <= k < j - i");
  const v1::Scop tree = Folding("k - 1", "i < k < j - 1");
  for (const v1::Scop& scop : {relative, tree}) {
    const std::optional<v1::Scop> blocked = InBlocks(scop, {{"n", 22}});
    ASSERT_TRUE(blocked.has_value());
    testing::ExpectSameResults(scop, *blocked, {{"n", 22}});
  }
}

// Stores, the far updates as a product, and in tiles what begins one, and the rest.
TEST(ParenthesisBlocksTest, FarUpdatesAreAProduct) {
  const Values values = {{"n", 30}};
  const std::optional<v1::Scop> blocked = InBlocks(Chain(), values);
  ASSERT_TRUE(blocked.has_value());
  IslContext context;
  const auto scop = ParseScop(context, *blocked).value();
  const Dependences dependences =
      ComputeDependences(context, *scop, /*rounding=*/false, LaterWrites::kAll).value();
  const isl::schedule schedule = OriginalSchedule(context, *scop, dependences);
  const auto scheduled =
      SelectKernels(context, schedule, *scop, dependences, values, InnerReductions::kAreKernels);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  ASSERT_EQ((*scheduled)->kernels.size(), 5u);  // the diagonal comes first
  const Kernel& product = (*scheduled)->kernels[2];
  EXPECT_EQ(product.bands[0].trip_counts, std::vector<int64_t>({6, 4, 4, 24}));
  EXPECT_EQ(product.bands[0].coincident, std::vector<bool>({true, true, true, false}));
  EXPECT_EQ(product.constant_references, 3);
  const Kernel& near = (*scheduled)->kernels[4];
  EXPECT_EQ(near.tile_loops, (TileLoops{1, 1, 8}));
  EXPECT_TRUE(near.reduction.has_value());
}

TEST(ParenthesisBlocksTest, NotWhatIsNoInterval) {
  EXPECT_FALSE(InBlocks(testing::GemmScop(), {{"ni", 40}, {"nj", 40}, {"nk", 40}}));
  EXPECT_FALSE(InBlocks(testing::TriangularScop(), {{"n", 40}}));
  EXPECT_FALSE(InBlocks(Chain(), {{"n", 30}}, kBlock, 9));
}

// The element itself is read: its updates are no reduction, and the far ones cannot come first.
TEST(ParenthesisBlocksTest, NotWhatNeedsTheOrderOfUpdates) {
  const v1::Scop scop =
      ScopBuilder("order", {"n"}, "n >= 0")
          .Array("T", {"n", "n"})
          .Begin("i", "0 <= i < n", /*decreasing=*/true)
          .Begin("j", "i < j < n")
          .Assign({"T", "i, j"}, {{"T", "i + 1, j"}, {"T", "i, j - 1"}},
                  Add(Read(0), Multiply(Read(1), Literal("0.5"))))
          .Begin("k", "i < k < j")
          .Update(v1::MAX, {"T", "i, j"}, {{"T", "i, k"}, {"T", "k + 1, j"}}, Add(Read(0), Read(1)))
          .End()
          .End()
          .End()
          .Build();
  EXPECT_FALSE(InBlocks(scop, {{"n", 30}}));
}

// One to three tables, of splits of one another, with neighbours before and behind, in either direction.
v1::Scop RandomTables(std::mt19937& random) {
  const auto number = [&](int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  };
  const int tables = number(1, 3);
  const bool turned = number(0, 2) == 0, by_diagonals = !turned && number(0, 1) == 0;
  const std::string row = turned ? "j" : "i", column = turned ? "i" : by_diagonals ? "i + j" : "j";
  const auto name = [](int table) { return std::string(1, static_cast<char>('T' + table)); };
  const auto at = [&](const std::string& r, const std::string& c) {
    return turned ? absl::StrCat(c, ", ", r) : absl::StrCat(r, ", ", c);
  };
  ScopBuilder builder("random", {"n"}, "n >= 0");
  for (int t = 0; t < tables; ++t) builder.Array(name(t), {"n", "n"});
  builder.Array("w", {"n", "n"});
  if (by_diagonals) {
    builder.Begin("j", "1 <= j < n").Begin("i", "0 <= i < n - j");
  } else {
    builder.Begin("i", "0 <= i < n", /*decreasing=*/true).Begin("j", "i < j < n");
  }
  const std::string r = "i", c = by_diagonals ? "i + j" : "j";
  for (int t = 0; t < tables; ++t) {
    const v1::UpdateOperator op = number(0, 1) == 0 ? v1::MIN : v1::MAX;
    const Element target = {name(t), at(r, c)};
    const auto neighbour = [&] {
      const bool next_row = number(0, 1) == 0;
      const Element read = {name(number(0, tables - 1)), next_row ? at(r + " + 1", c) : at(r, c + " - 1")};
      builder.Update(op, target, {read}, Add(Multiply(Read(0), Literal("0.5")), Literal("0.25")));
    };
    if (number(0, 2) == 0) builder.Assign(target, {}, Literal("3.0"));
    if (number(0, 1) == 0) neighbour();
    const int shift = number(0, 1);
    builder.Begin("k", absl::StrCat(r, " + 1 <= k < ", c));
    builder.Update(op, target,
                   {{name(number(0, tables - 1)), at(r, shift == 0 ? "k" : "k - 1")},
                    {name(number(0, tables - 1)), at("k + 1", c)},
                    {"w", "i, k"}},
                   Add(Multiply(Add(Read(0), Read(1)), Literal("0.25")), Read(2)));
    builder.End();
    if (number(0, 1) == 0) neighbour();
  }
  return builder.End().End().Build();
}

TEST(ParenthesisBlocksTest, RandomTablesGiveTheSame) {
  int blocked_count = 0;
  for (int seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    const v1::Scop scop = RandomTables(random);
    const Values values = {{"n", 11 + seed % 9}};
    const std::optional<v1::Scop> blocked = InBlocks(scop, values, 2 + seed % 4);
    if (!blocked) continue;
    ++blocked_count;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    testing::ExpectSameResults(scop, *blocked, values);
  }
  EXPECT_GE(blocked_count, 8);
}

}  // namespace
}  // namespace tune
