#include "common/transform/thread_tiles/thread_tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using testing::Default;
using ::testing::ElementsAre;
using testing::MakeKernel;

TEST(ThreadTiles, DefaultsPutAWarpAlongXAnd256ThreadsInABlock) {
  EXPECT_EQ(Default(MakeKernel({true, true}, {1000, 1000})).threads.axes,
            (std::vector<CudaAxis>{{0, 8, 8}, {1, 32, 32}}));
  EXPECT_EQ(Default(MakeKernel({true, true, true}, {40, 40, 40})).threads.axes,
            (std::vector<CudaAxis>{{0, 2, 2}, {1, 4, 4}, {2, 32, 32}}));
  // One axis: 256 threads where that leaves a block for each multiprocessor.
  EXPECT_EQ(Default(MakeKernel({true}, {1'000'000})).threads.axes, (std::vector<CudaAxis>{{0, 256, 256}}));
  EXPECT_EQ(Default(MakeKernel({true}, {4000})).threads.axes, (std::vector<CudaAxis>{{0, 32, 32}}));
}

// Of a tile of time: where all are on the device at once, one point for each of as many threads as can be.
TEST(ThreadTiles, FewTilesOfTimeHaveManyThreads) {
  Kernel few = MakeKernel({true}, {1022});
  few.tile_loops = {1, 1, 6};
  EXPECT_EQ(Default(few).threads.axes, (std::vector<CudaAxis>{{0, 1024, 1024}}));
  for (const int64_t tiles : {int64_t{100'000}, int64_t{-1}}) {
    Kernel many = few;
    many.tile_loops.tiles = tiles;
    EXPECT_EQ(Default(many).threads.axes, (std::vector<CudaAxis>{{0, 1024, 256}}));
  }
  Kernel planes = MakeKernel({true, true}, {60, 60});
  planes.tile_loops = {1, 2, 6};
  EXPECT_EQ(Default(planes).threads.axes, (std::vector<CudaAxis>{{0, 64, 8, false, 8}, {1, 64, 32}}));
}

// Where there are enough of them 4 points of a thread along the last axis, of which there may be fewer.
TEST(ThreadTiles, NeighboursShareWhatTheyRead) {
  EXPECT_EQ(Default(MakeKernel({true, true}, {2000, 2000})).threads.axes,
            (std::vector<CudaAxis>{{0, 32, 8, false, 4}, {1, 32, 32}}));
  EXPECT_EQ(Default(MakeKernel({true, true, true}, {200, 200, 200})).threads.axes,
            (std::vector<CudaAxis>{{0, 4, 1, false, 4}, {1, 8, 8}, {2, 32, 32}}));
  EXPECT_EQ(Default(MakeKernel({true, true, true}, {2, 2000, 2000})).threads.axes,
            (std::vector<CudaAxis>{{0, 2, 1, false, 2}, {1, 8, 8}, {2, 32, 32}}));
}

// 4 x 4 points for each of 256 threads, or 2 x 2 where there would not be a block for each multiprocessor.
TEST(ThreadTiles, ProductsHaveTilesOfPoints) {
  const auto product = [](int64_t rows, int64_t columns, int64_t terms) {
    Kernel kernel = MakeKernel({true, true, false}, {rows, columns, terms});
    kernel.read_only_arrays = {"A", "B"};
    kernel.constant_reads = {{"S0", 1}, {"S0", 2}};
    kernel.constant_references = 2;
    kernel.constant_bytes = 4;
    return kernel;
  };
  const std::vector<CudaAxis> largest = {{0, 128, 16}, {1, 64, 8, false, 4}};
  const std::vector<CudaAxis> large = {{0, 64, 16}, {1, 64, 16, false, 4}};
  const std::vector<CudaAxis> small = {{0, 32, 16}, {1, 32, 16, false, 2}};
  EXPECT_EQ(Default(product(2000, 2300, 2600)).threads.axes, largest);
  EXPECT_EQ(Default(product(800, 900, 1100)).threads.axes, large);  // 195 blocks
  EXPECT_EQ(Default(product(500, 500, 500)).threads.axes, small);   // 64, or 256 blocks
  // Without copies that go past the registers these are for the points' sums.
  DeviceFacts volta = testing::H200Options().device;
  volta.compute_capability_major = 7;
  EXPECT_EQ(Default(product(2000, 2300, 2600), volta).threads.axes, large);
  EXPECT_EQ(Default(product(2000, 2300, 20)).threads.axes, (std::vector<CudaAxis>{{0, 8, 8}, {1, 32, 32}}));
  EXPECT_EQ(Default(product(2'000'000, 7, 500)).threads.axes[1].tile, 32);  // the smallest along x
  EXPECT_EQ(Default(product(7, 2'000'000, 500)).threads.axes[0].tile, 8);   // no larger than it need be
  // The rows of a triangle are the shorter side.
  Kernel triangle = product(2000, 2300, 2600);
  triangle.bounds_sums = {true, false, false};
  EXPECT_EQ(Default(triangle).threads.axes, (std::vector<CudaAxis>{{0, 64, 8}, {1, 128, 16, false, 4}}));
  triangle.bounds_sums = {true, true, false};
  EXPECT_EQ(Default(triangle).threads.axes, largest);
  // Many at once have one of them along z.
  Kernel many = product(220, 270, 270);
  many.bands[0].coincident.insert(many.bands[0].coincident.begin(), true);
  many.bands[0].trip_counts.insert(many.bands[0].trip_counts.begin(), 250);
  EXPECT_EQ(Default(many).threads.axes,
            (std::vector<CudaAxis>{{0, 1, 1}, {1, 128, 16}, {2, 64, 8, false, 4}}));
  // Of more than two arrays' elements each needs less.
  Kernel two = product(2000, 2300, 2600);
  two.constant_references = 4;
  EXPECT_EQ(Default(two).threads.axes, large);
}

TEST(ThreadTiles, OnlyCoincidentMembersAreMappedTheInnermostThree) {
  const auto members = [](const Kernel& kernel) {
    std::vector<int> members;
    for (const CudaAxis& axis : Default(kernel).threads.axes) members.push_back(axis.member);
    return members;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(members(MakeKernel({true, false, true}, {100, 100, 100})), ElementsAre(0, 2));
  EXPECT_THAT(members(MakeKernel({true, false, true}, {100, 100, 100}, /*permutable=*/false)),
              ElementsAre(0));
  EXPECT_THAT(members(MakeKernel({true, true, true, true}, {9, 9, 9, 9})), ElementsAre(1, 2, 3));
  EXPECT_THAT(members(MakeKernel({true, true}, {1, 100})), ElementsAre(1));  // a loop of one iteration
  EXPECT_THAT(members(MakeKernel({false, false}, {100, 100})), ElementsAre());
  EXPECT_THAT(members(Kernel()), ElementsAre());
}

}  // namespace
}  // namespace tune
