#include "common/transform/reduction/reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using testing::Default;
using testing::Keys;
using testing::MakeKernel;
using testing::Plan;

TEST(Reduction, BlocksShareAReductionWhereAtomicOperationsAllowIt) {
  using ::testing::Contains;
  Kernel kernel = MakeKernel({true, false}, {100, 5000});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, false};
  EXPECT_THAT(Keys(kernel), ::testing::Not(Contains("k.reduction_blocks")));
  kernel.reduction->atomic = true;
  EXPECT_THAT(Keys(kernel), Contains("k.reduction_blocks"));
  // A block has a whole number of turns of its threads: 5000 / 8 = 625, 20 turns of 32.
  EXPECT_EQ(Plan(kernel, {{"k.reduction", "x"}, {"k.reduction_blocks", "8"}, {"k.block_size_1", "32"}})
                .threads.axes.back(),
            (CudaAxis{1, 640, 32, /*reduction=*/true}));
  // Columns: each thread by itself, and blocks share.
  const KernelPlan columns =
      Plan(kernel, {{"k.reduction", "y"}, {"k.reduction_blocks", "8"}, {"k.block_size_1", "1"}});
  EXPECT_EQ(columns.threads.axes.front(), (CudaAxis{1, 625, 1, /*reduction=*/true}));
  EXPECT_TRUE(columns.threads.HasReduction());
  EXPECT_TRUE(columns.threads.HasSplitReduction());
}

TEST(Reduction, BlocksOfFewThreadsShareLongColumns) {
  Kernel kernel = MakeKernel({true, false}, {4000, 4000});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, false, true};
  EXPECT_EQ(Default(kernel).threads.axes,
            (std::vector<CudaAxis>{{1, 504, 8, /*reduction=*/true}, {0, 32, 32}}));  // 8 blocks
  // Without atomic operations one block has all, with as many threads as it can use.
  kernel.reduction->atomic = false;
  EXPECT_EQ(Default(kernel).threads.axes,
            (std::vector<CudaAxis>{{1, 0, 64, /*reduction=*/true}, {0, 16, 16}}));
  // So it is where the iterations are too few for several blocks.
  kernel = MakeKernel({true, false}, {400, 400});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, false, true};
  EXPECT_EQ(Default(kernel).threads.axes.front(), (CudaAxis{1, 0, 64, /*reduction=*/true}));
}

// As many as one store can have, where rows are whole pieces and more than the cache holds.
TEST(Reduction, ThreadsHaveSeveralColumnsThatTheyUpdateOnTheWay) {
  Kernel kernel = MakeKernel({true, false}, {4000, 4000});
  kernel.constant_bytes = 4;
  kernel.bytes_of_iteration = 4;
  kernel.reduction = KernelReduction{1, {}, {"S0"}, {"S1"}, {}, false, true};
  EXPECT_EQ(Default(kernel).threads.axes,
            (std::vector<CudaAxis>{{1, 128, 8, /*reduction=*/true}, {0, 128, 32, false, 4}}));  // 32 blocks
  const std::vector<CudaAxis> one = {{1, 504, 8, /*reduction=*/true}, {0, 32, 32}};
  kernel.constant_bytes = 8;
  EXPECT_EQ(Default(kernel).threads.axes, one);
  kernel.constant_bytes = 4;
  kernel.bytes_of_iteration = 1;
  EXPECT_EQ(Default(kernel).threads.axes, one);
  kernel.bytes_of_iteration = 4;
  kernel.bands[0].trip_counts[0] = 4002;
  EXPECT_EQ(Default(kernel).threads.axes, one);
}

TEST(Reduction, FewerThreadsShareRowsOfFewPieces) {
  Kernel kernel = MakeKernel({true, false}, {1800, 2200});
  kernel.constant_bytes = 4;
  kernel.reduction = KernelReduction{1, {"S0"}, {}, {"S1"}, {}, /*contiguous=*/true};
  const auto threads = [&] { return Default(kernel).threads.axes.back().block; };
  EXPECT_EQ(threads(), 128);
  kernel.reduction->whole_pieces = 4;
  EXPECT_EQ(threads(), 64);
  kernel.bands[0].trip_counts[1] = 3072;
  EXPECT_EQ(threads(), 128);
}

TEST(Reduction, RowsFillBlocksOfTheSizeOfThoseBesideThem) {
  std::vector<Kernel> kernels = {MakeKernel({true, false}, {2200, 1800}),
                                 MakeKernel({true, false}, {1800, 2200}),
                                 MakeKernel({true, true}, {1800, 2200})};
  kernels[0].reduction = KernelReduction{1, {"S0"}, {}, {"S1"}, {}, /*contiguous=*/true};
  kernels[1].reduction = KernelReduction{1, {"S2"}, {}, {"S3"}, {}, /*contiguous=*/false};
  const DeviceFacts device = testing::H200Options().device;
  const auto rows = [&] {
    DefaultChooser chooser;
    const int64_t beside = ThreadsBeside(kernels, 0, device, /*exact=*/false);
    return DecideKernel(kernels[0], device, /*exact=*/false, chooser, /*products=*/{}, beside)
        .value()
        .threads.axes;
  };
  EXPECT_EQ(Default(kernels[1]).threads.Threads(), 1024);
  EXPECT_EQ(rows(), (std::vector<CudaAxis>{{0, 16, 16}, {1, 0, 64, /*reduction=*/true}}));
  kernels[1].launch_group = 1;
  EXPECT_EQ(rows(), (std::vector<CudaAxis>{{0, 4, 4}, {1, 0, 64, /*reduction=*/true}}));
  EXPECT_EQ(ThreadsBeside(kernels, 1, device, /*exact=*/false), 0);
}

// Tiles of what they read make up for threads that are not there.
TEST(Reduction, FewerSumsOfAProductAreEnough) {
  const auto is_shared = [](int64_t rows, int64_t references) {
    Kernel kernel = MakeKernel({true, true, false}, {rows, 75, 2000});
    kernel.reduction = KernelReduction{2, {}, {}, {"S0"}, {}, false, true};
    kernel.constant_reads = {{"S0", 1}};
    kernel.constant_references = static_cast<int>(references);
    return Default(kernel).threads.HasReduction();
  };
  EXPECT_FALSE(is_shared(700, 2));
  EXPECT_TRUE(is_shared(700, 1));
  EXPECT_TRUE(is_shared(200, 2));
  EXPECT_FALSE(is_shared(2000, 1));
}

// Where rows are long, and all pieces whole.
TEST(Reduction, ThreadsRunAsManyIterationsAsALoadHasElements) {
  Kernel kernel = MakeKernel({true, false}, {100, 5000});
  kernel.constant_bytes = 4;
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, /*contiguous=*/true};
  const auto piece = [&] { return Default(kernel).threads.axes.back().piece; };
  EXPECT_EQ(piece(), 1);
  kernel.reduction->whole_pieces = 2;
  EXPECT_EQ(piece(), 1);
  kernel.reduction->whole_pieces = 4;
  EXPECT_EQ(piece(), 4);
  kernel.constant_bytes = 8;
  EXPECT_EQ(piece(), 2);
  kernel.constant_bytes = 1;
  EXPECT_EQ(piece(), 4);
  kernel.constant_bytes = 0;
  EXPECT_EQ(piece(), 1);
  kernel.constant_bytes = 4;
  kernel.bands[0].trip_counts[1] = 400;
  EXPECT_EQ(piece(), 1);
  kernel.reduction->atomic = true;
  EXPECT_EQ(Plan(kernel, {{"k.reduction", "x"},
                          {"k.reduction_blocks", "2"},
                          {"k.block_size_1", "16"},
                          {"k.reduction_piece", "4"}})
                .threads.axes.back(),
            (CudaAxis{1, 256, 16, /*reduction=*/true, /*piece=*/4}));
  EXPECT_THAT(Keys(kernel), ::testing::Contains("k.reduction_piece"));
}

TEST(Reduction, ThreadsShareNoExactSum) {
  Kernel kernel = MakeKernel({true, false}, {100, 5000});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true};
  EXPECT_TRUE(Default(kernel).threads.HasReduction());
  EXPECT_FALSE(Default(kernel, testing::H200Options().device, /*exact=*/true).threads.HasReduction());
}

TEST(Reduction, OneLongSumFillsTheDevice) {
  Kernel kernel = MakeKernel({false}, {10'000'000});
  kernel.reduction = KernelReduction{0, {}, {}, {"S0"}, {}, true, true};
  const KernelPlan plan = Default(kernel);
  EXPECT_EQ(plan.threads.axes, (std::vector<CudaAxis>{{0, 39936, 1024, /*reduction=*/true}}));  // 256 blocks
  kernel.bands[0].trip_counts[0] = 5000;
  EXPECT_FALSE(Default(kernel).threads.HasSplitReduction());
}

}  // namespace
}  // namespace tune
