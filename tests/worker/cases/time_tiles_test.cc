#include "worker/cases/time_tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/worker/cases/example_programs.h"
#include "worker/cases/plain_expression.h"
#include "worker/cases/time_tile_text.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ParametricRegion StencilOf(const std::string& path) {
  const auto extraction = testing::ExtractFile(path);
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  if (!extraction.ok()) return ParametricRegion();
  const auto region = MakeParametricRegion(extraction->scops(0));
  EXPECT_TRUE(region.ok()) << region.status();
  return region.ok() ? *region : ParametricRegion();
}

TEST(TimeTiles, EachHalfStepSpoilsAnElementOnEachSide) {
  const ParametricRegion region = StencilOf(TUNE_SOURCE_DIR "/tests/bench/case_sizes/jacobi_2d.c");
  const auto tiles = FindTimeTiles(region);
  ASSERT_TRUE(tiles);
  EXPECT_EQ(tiles->dimensions, 2);
  EXPECT_THAT(tiles->sides, ElementsAre(64, 64));
  ASSERT_EQ(tiles->phases.size(), 2);
  for (const TilePhase& phase : tiles->phases) {
    EXPECT_THAT(phase.before, ElementsAre(1, 1));
    EXPECT_THAT(phase.behind, ElementsAre(1, 1));
    EXPECT_EQ(phase.points.size(), 1);
  }
  EXPECT_THAT(tiles->before, ElementsAre(2, 2));
  // B is written before it is read, A is read first: it alone goes from launch to launch.
  ASSERT_EQ(tiles->made.size(), 2);
  EXPECT_FALSE(tiles->made[0]);
  ASSERT_TRUE(tiles->made[1]);
  EXPECT_EQ(region.scop.arrays(tiles->arrays[1]).name(), "B");
  EXPECT_EQ(PlainText(tiles->made[1]->first[0]), "1");
  const TimeTileText text = PrintTimeTiles(*tiles, region);
  EXPECT_THAT(text.kernel.text, HasSubstr("__shared__ float tune_tile1[4096];"));
  EXPECT_THAT(text.kernel.text, HasSubstr("#pragma unroll"));
}

// Of arrays that fit into a square of as many points as a block has threads.
TEST(TimeTiles, ThreadsOfSmallArraysHaveOnePoint) {
  const ParametricRegion region = StencilOf(TUNE_SOURCE_DIR "/tests/bench/case_sizes/jacobi_2d.c");
  const auto tiles = FindTimeTiles(region);
  ASSERT_TRUE(tiles);
  const TimeTileText text = PrintTimeTiles(*tiles, region);
  EXPECT_THAT(text.kernel.text, HasSubstr("__launch_bounds__(512) jacobi_2d_tiles("));
  EXPECT_THAT(text.kernel.text, HasSubstr("__launch_bounds__(1024) jacobi_2d_small_tile("));
  EXPECT_THAT(text.kernel.text, HasSubstr("__shared__ float tune_tile1[1024];"));
  EXPECT_THAT(text.function, HasSubstr("    tune_block = dim3(32, 32);\n"));
  const ParametricRegion line = ExampleRegion("jacobi_1d");
  const auto of_line = FindTimeTiles(line);
  ASSERT_TRUE(of_line);
  EXPECT_THAT(PrintTimeTiles(*of_line, line).kernel.text, ::testing::Not(HasSubstr("small_tile")));
}

TEST(TimeTiles, OfALine) {
  const auto tiles = FindTimeTiles(ExampleRegion("jacobi_1d"));
  ASSERT_TRUE(tiles);
  EXPECT_EQ(tiles->dimensions, 1);
  EXPECT_THAT(tiles->sides, ElementsAre(1024));
}

// What is summed up, or reads along the whole array, or updates in place.
TEST(TimeTiles, OtherLoopsHaveNone) {
  EXPECT_FALSE(FindTimeTiles(ExampleRegion("product")));
  EXPECT_FALSE(FindTimeTiles(ExampleRegion("transposition")));
  EXPECT_FALSE(FindTimeTiles(ExampleRegion("matrix_vector")));
  for (const char* const name : {"seidel-2d", "floyd-warshall", "adi"})
    EXPECT_FALSE(FindTimeTiles(StencilOf(testing::ProgramPath(name)))) << name;
}

}  // namespace
}  // namespace tune
