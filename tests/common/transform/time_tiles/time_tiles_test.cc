#include "common/transform/time_tiles/time_tiles.h"

#include <gtest/gtest.h>

#include <random>

#include "common/kernel/kernel.h"
#include "common/schedule/original_schedule.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Add;
using testing::Analysis;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

const TileLimits kSmall = {{32}, {24, 24}};

std::optional<v1::Scop> Tiled(const v1::Scop& scop, const Values& values, const TileLimits& limits = kSmall) {
  const auto analysis = Analysis::Make(scop, values).value();
  AnalysedScop analysed(analysis->context, *analysis->scop, analysis->dependences);
  const auto tiled = TileTime(analysed, values, limits);
  EXPECT_TRUE(tiled.ok()) << tiled.status();
  return tiled.value_or(std::nullopt);
}

// Each point of the one array from its four neighbours in the other, and back by a copy.
v1::Scop Plane() {
  const v1::Expression sum = Add(Add(Read(0), Read(1)), Add(Read(2), Read(3)));
  return ScopBuilder("plane", {"steps", "n", "m"}, "steps >= 0 and n >= 0 and m >= 0")
      .Array("A", {"n", "m"})
      .Array("B", {"n", "m"})
      .Begin("t", "0 <= t < steps")
      .Begin("i", "1 <= i < n - 1")
      .Begin("j", "1 <= j < m - 1")
      .Assign({"B", "i, j"}, {{"A", "i - 1, j"}, {"A", "i + 1, j"}, {"A", "i, j - 1"}, {"A", "i, j + 1"}},
              Multiply(Literal("0.25"), sum))
      .End()
      .End()
      .Begin("i", "1 <= i < n - 1")
      .Begin("j", "1 <= j < m - 1")
      .Assign({"A", "i, j"}, {{"B", "i, j"}}, Read(0))
      .End()
      .End()
      .End()
      .Build();
}

TEST(TimeTilesTest, ALineGivesTheSame) {
  for (const int steps : {4, 5, 7, 8}) {
    const Values values = {{"steps", steps}, {"n", 61}};
    const std::optional<v1::Scop> tiled = Tiled(testing::Jacobi1dScop(), values);
    ASSERT_TRUE(tiled.has_value()) << steps;
    testing::ExpectSameResults(testing::Jacobi1dScop(), *tiled, values);
  }
}

TEST(TimeTilesTest, APlaneGivesTheSame) {
  const Values values = {{"steps", 5}, {"n", 43}, {"m", 39}};
  const std::optional<v1::Scop> tiled = Tiled(Plane(), values);
  ASSERT_TRUE(tiled.has_value());
  testing::ExpectSameResults(Plane(), *tiled, values);
}

// The loops over tiles stand above all kernels of a tile, which know of them.
TEST(TimeTilesTest, KernelsAreInTiles) {
  const Values values = {{"steps", 8}, {"n", 61}};
  const std::optional<v1::Scop> tiled = Tiled(testing::Jacobi1dScop(), values);
  ASSERT_TRUE(tiled.has_value());
  const auto analysis = Analysis::Make(*tiled, values).value();
  const isl::schedule schedule = OriginalSchedule(analysis->context, *analysis->scop, analysis->dependences);
  const auto scheduled =
      SelectKernels(analysis->context, schedule, *analysis->scop, analysis->dependences, values);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  int inside = 0;
  for (const Kernel& kernel : (*scheduled)->kernels) {
    const TileLoops tiles = {1, 1, kernel.tile_loops.tiles};
    EXPECT_EQ(kernel.tile_loops, kernel.host_depth > 0 ? tiles : TileLoops()) << kernel.name;
    EXPECT_EQ(kernel.tile_loops.tiles > 0, kernel.host_depth > 0) << kernel.name;
    inside += kernel.tile_loops.count;
  }
  EXPECT_EQ(inside, 6);  // two statements, and what copies two arrays in and out
}

TEST(TimeTilesTest, NotWhatHasTooFewStepsOrElements) {
  EXPECT_FALSE(Tiled(testing::Jacobi1dScop(), {{"steps", 3}, {"n", 61}}));
  EXPECT_FALSE(Tiled(testing::Jacobi1dScop(), {{"steps", 8}, {"n", 20}}));
  EXPECT_FALSE(Tiled(testing::GemmScop(), {{"ni", 40}, {"nj", 40}, {"nk", 40}}));
}

// A step that reads what all of the one before it has written has no tiles.
TEST(TimeTilesTest, NotWhatReadsFromAfar) {
  const v1::Scop scop = ScopBuilder("turn", {"steps", "n"}, "steps >= 0 and n >= 0")
                            .Array("A", {"n"})
                            .Array("B", {"n"})
                            .Begin("t", "0 <= t < steps")
                            .Begin("i", "0 <= i < n")
                            .Assign({"B", "i"}, {{"A", "n - 1 - i"}}, Read(0))
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Assign({"A", "i"}, {{"B", "i"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  EXPECT_FALSE(Tiled(scop, {{"steps", 8}, {"n", 61}}));
}

// Two or three statements a step, each of an array of its own from neighbours, or itself, in the other ones.
v1::Scop RandomStencil(std::mt19937& random) {
  const auto number = [&](int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  };
  const std::vector<std::string> arrays = {"A", "B", "C"};
  ScopBuilder builder("random", {"steps", "n"}, "steps >= 0 and n >= 0");
  for (const std::string& array : arrays) builder.Array(array, {"n"});
  builder.Begin("t", "1 <= t <= steps");
  const int statements = number(2, 3);
  for (int s = 0; s < statements; ++s) {
    builder.Begin("i", absl::StrCat(number(2, 4), " <= i < n - ", number(2, 4)));
    const auto read = [&]() -> testing::Element {
      return {arrays[(s + number(1, 2)) % 3], absl::StrCat("i + ", number(-2, 2))};
    };
    const v1::Expression value = Add(Multiply(Literal("0.5"), Read(0)), Multiply(Literal("0.3"), Read(1)));
    const std::vector<testing::Element> reads = {read(), read()};
    builder.Assign({arrays[s], "i"}, reads, value).End();
  }
  return builder.End().Build();
}

TEST(TimeTilesTest, RandomStencilsGiveTheSame) {
  int tiled_count = 0;
  for (int seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const v1::Scop scop = RandomStencil(random);
    const Values values = {{"steps", 4 + seed % 3}, {"n", 220 + seed % 7}};
    const std::optional<v1::Scop> tiled = Tiled(scop, values, {{100}, {24, 24}});
    if (!tiled) continue;
    ++tiled_count;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    testing::ExpectSameResults(scop, *tiled, values);
  }
  EXPECT_GE(tiled_count, 10);
}

}  // namespace
}  // namespace tune
