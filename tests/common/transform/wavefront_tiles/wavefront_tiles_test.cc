#include "common/transform/wavefront_tiles/wavefront_tiles.h"

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

const WavefrontLimits kSmallTiles = {{6, 6}, {{4}, {3, 4}}, 48 << 10};

std::optional<v1::Scop> OnWavefronts(const v1::Scop& scop, const Values& values,
                                     const WavefrontLimits& limits = kSmallTiles) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const auto tiled = TileWavefronts(analysed, values, limits);
  EXPECT_TRUE(tiled.ok()) << tiled.status();
  return tiled.value_or(std::nullopt);
}

v1::Expression SumOf(size_t reads) {
  v1::Expression value = Literal("0.5");
  for (size_t i = 0; i < reads; ++i) value = Add(Multiply(value, Literal("0.4")), Read(static_cast<int>(i)));
  return value;
}

// So many steps in which each element of a plane follows from these around it.
v1::Scop Smoothing(const std::vector<Element>& reads) {
  return ScopBuilder("smoothing", {"steps", "n", "m"}, "steps >= 0 and n >= 0 and m >= 0")
      .Array("A", {"n", "m"})
      .Array("F", {"n", "m"})
      .Begin("t", "0 <= t < steps")
      .Begin("i", "1 <= i < n - 1")
      .Begin("j", "1 <= j < m - 1")
      .Assign({"A", "i, j"}, reads, SumOf(reads.size()))
      .End()
      .End()
      .End()
      .Build();
}

std::vector<Element> NinePoints() {
  std::vector<Element> reads;
  for (const char* row : {"i - 1", "i", "i + 1"}) {
    for (const char* column : {"j - 1", "j", "j + 1"})
      reads.push_back({"A", absl::StrCat(row, ", ", column)});
  }
  return reads;
}

TEST(WavefrontTilesTest, SmoothingInPlaceGivesTheSame) {
  const std::vector<Element> five = {{"A", "i - 1, j"}, {"A", "i, j - 1"}, {"A", "i, j"},
                                     {"A", "i, j + 1"}, {"A", "i + 1, j"}, {"F", "i, j"}};
  for (const std::vector<Element>& reads : {NinePoints(), five}) {
    const Values values = {{"steps", 7}, {"n", 17}, {"m", 15}};
    const std::optional<v1::Scop> tiled = OnWavefronts(Smoothing(reads), values);
    ASSERT_TRUE(tiled.has_value());
    testing::ExpectSameResults(Smoothing(reads), *tiled, values);
  }
}

// An element of a table from those before it, another one beside it from both.
v1::Scop Tables() {
  return ScopBuilder("tables", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("H", {"n", "m"})
      .Array("E", {"n", "m"})
      .Array("a", {"n"})
      .Array("b", {"m"})
      .Begin("i", "1 <= i < n")
      .Begin("j", "1 <= j < m")
      .Assign({"E", "i, j"}, {{"E", "i, j - 1"}, {"H", "i, j - 1"}}, SumOf(2))
      .Assign({"H", "i, j"},
              {{"H", "i - 1, j - 1"}, {"H", "i - 1, j"}, {"E", "i, j"}, {"a", "i"}, {"b", "j"}}, SumOf(5))
      .End()
      .End()
      .Build();
}

TEST(WavefrontTilesTest, TablesGiveTheSame) {
  for (const int n : {9, 16, 31}) {
    const Values values = {{"n", n}, {"m", 23}};
    const std::optional<v1::Scop> tiled = OnWavefronts(Tables(), values);
    ASSERT_TRUE(tiled.has_value()) << n;
    testing::ExpectSameResults(Tables(), *tiled, values);
  }
}

// Launches are of tiles, and the loops over lanes, and those of copies, parallel.
TEST(WavefrontTilesTest, KernelsAreInTiles) {
  const Values values = {{"steps", 7}, {"n", 17}, {"m", 15}};
  const std::optional<v1::Scop> tiled = OnWavefronts(Smoothing(NinePoints()), values);
  ASSERT_TRUE(tiled.has_value());
  IslContext context;
  const auto scop = ParseScop(context, *tiled).value();
  const Dependences dependences =
      ComputeDependences(context, *scop, /*rounding=*/false, LaterWrites::kAll).value();
  const isl::schedule schedule = OriginalSchedule(context, *scop, dependences);
  const auto scheduled = SelectKernels(context, schedule, *scop, dependences, values);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  ASSERT_EQ((*scheduled)->kernels.size(), 4u);  // what begins a tile, loads, points, stores
  for (const Kernel& kernel : (*scheduled)->kernels) {
    EXPECT_EQ(kernel.tile_loops, (TileLoops{1, 2, 18})) << kernel.name;
    if (kernel.bands.empty()) continue;
    EXPECT_EQ(kernel.bands[0].coincident, std::vector<bool>({true, true})) << kernel.name;
    EXPECT_FALSE(kernel.bands[0].boxes) << kernel.name;  // tiles are skewed
  }
}

// Neighbours in a warp touch elements an odd number of elements apart: banks of shared memory.
TEST(WavefrontTilesTest, RowsOfTilesAvoidBankConflicts) {
  const Values values = {{"steps", 64}, {"n", 300}, {"m", 300}};
  const std::optional<v1::Scop> tiled = OnWavefronts(Smoothing(NinePoints()), values, {});
  ASSERT_TRUE(tiled.has_value());
  const v1::Array& held = tiled->arrays(2);
  ASSERT_EQ(held.extents_size(), 4) << held.name();
  EXPECT_EQ(held.extents(2).c_expression(), "49");
  EXPECT_EQ(held.extents(3).c_expression(), "113");  // of 64 steps along, as elements have eight bytes
}

TEST(WavefrontTilesTest, NotWhatIsParallelOrSmall) {
  EXPECT_FALSE(OnWavefronts(testing::GemmScop(), {{"ni", 40}, {"nj", 40}, {"nk", 40}}));
  EXPECT_FALSE(OnWavefronts(Smoothing(NinePoints()), {{"steps", 3}, {"n", 17}, {"m", 15}}));
}

// One tile would have to hold elements from all over the array.
TEST(WavefrontTilesTest, NotWhatMovesInSeveralWays) {
  const v1::Scop solve = ScopBuilder("solve", {"n"}, "n >= 0")
                             .Array("x", {"n"})
                             .Array("L", {"n", "n"})
                             .Begin("i", "0 <= i < n")
                             .Begin("j", "0 <= j < i")
                             .Assign({"x", "i"}, {{"x", "i"}, {"L", "i, j"}, {"x", "j"}}, SumOf(3))
                             .End()
                             .End()
                             .Build();
  EXPECT_FALSE(OnWavefronts(solve, {{"n", 40}}));
}

// One or two arrays, of which each element follows from some around it, in one or two statements, with bounds
// that may be slanted.
v1::Scop RandomSweep(std::mt19937& random) {
  const auto number = [&](int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  };
  const bool steps = number(0, 1) == 1;
  ScopBuilder builder("random", {"steps", "n"}, "steps >= 0 and n >= 0");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"});
  if (steps) builder.Begin("t", "1 <= t <= steps");
  builder.Begin("i", absl::StrCat(number(2, 3), " <= i < n - ", number(2, 3)));
  const char* const columns[] = {"2 <= j < n - 2", "2 <= j < n - 2 and j <= i + 9",
                                 "3 <= j < n - 2 and i + j >= 9"};
  builder.Begin("j", columns[number(0, 2)]);
  const int statements = number(1, 2);
  for (int s = 0; s < statements; ++s) {
    std::vector<Element> reads;
    for (int r = number(2, 4); r > 0; --r) {
      const int row = number(-1, steps ? 1 : 0);
      const int column = number(-2, row < 0 || steps ? 2 : 0);
      reads.push_back({number(0, statements) == 0 ? "B" : "A", absl::StrCat("i + ", row, ", j + ", column)});
    }
    builder.Assign({s == 0 ? "A" : "B", "i, j"}, reads, SumOf(reads.size()));
  }
  builder.End().End();
  if (steps) builder.End();
  return builder.Build();
}

TEST(WavefrontTilesTest, RandomSweepsGiveTheSame) {
  int tiled_count = 0;
  for (int seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const v1::Scop scop = RandomSweep(random);
    const Values values = {{"steps", 4 + seed % 3}, {"n", 19 + seed % 5}};
    const std::optional<v1::Scop> tiled = OnWavefronts(scop, values, {{5, 4}, {{3}, {2, 3}}, 48 << 10});
    if (!tiled) continue;
    ++tiled_count;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    testing::ExpectSameResults(scop, *tiled, values);
  }
  EXPECT_GE(tiled_count, 10);
}

}  // namespace
}  // namespace tune
