#include "common/transform/packed_product/packed_product.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "common/transform/parallel_loop/parallel_loop.h"
#include "common/transform/transformations.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

// The decisions of gemm by default.
absl::StatusOr<std::string> DecisionsOf(const std::map<std::string, int64_t>& values, int hardware_threads) {
  const v1::Scop scop = testing::GemmScop();
  TUNE_ASSIGN_OR_RETURN(const auto space,
                        CpuSpace::Make(WithParameterFacts(scop, values), values, {hardware_threads}));
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  TUNE_RETURN_IF_ERROR(space->Walk(recording).status());
  return PrintConfiguration(recording.configuration());
}

TEST(PackedProducts, LargeProductsHaveRegisterTilesByDefault) {
  EXPECT_EQ(DecisionsOf({{"ni", 700}, {"nj", 800}, {"nk", 900}}, 8).value(),
            "loops = distributed\n"
            "k[S0].tile_size_0 = 0\n"
            "k[S0].tile_size_1 = 0\n"
            "k[S0].parallel = 0\n"
            "k[S0].threads = 8\n"
            "k[S0].unroll = 1\n"
            "k[S0].simd = on\n"
            "k[S1].register_tile = fitted\n"
            "k[S1].k_block = 256\n"
            "k[S1].i_block = 48\n"
            "k[S1].j_block = 256\n"
            "k[S1].parallel = 0\n"
            "k[S1].threads = 8\n");
}

TEST(PackedProducts, SmallProductsHaveNot) {
  const std::string decisions = DecisionsOf({{"ni", 15}, {"nj", 800}, {"nk", 900}}, 8).value();
  EXPECT_EQ(decisions.find("distributed"), std::string::npos) << decisions;
  EXPECT_EQ(decisions.find("register_tile"), std::string::npos) << decisions;
}

Kernel ProductKernel(int64_t rows, int64_t columns, int64_t sums) {
  Kernel kernel;
  kernel.name = "k[S1]";
  kernel.statements = {"S1"};
  KernelBand band;
  band.permutable = band.innermost = true;
  band.coincident = {true, false, true};
  band.trip_counts = {rows, sums, columns};
  kernel.bands = {band};
  kernel.product = KernelProduct{0, 2, 1, rows, columns, sums};
  return kernel;
}

// Blocks that hold the whole product already are not asked for twice; none asks about plain loops.
class ExaminingChooser : public DefaultChooser {
 public:
  explicit ExaminingChooser(const std::string& tile) : tile_(tile) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    points[point.key] = point;
    if (point.key != "k[S1].register_tile") return DefaultChooser::Choose(point);
    return static_cast<int>(std::find(point.options.begin(), point.options.end(), tile_) -
                            point.options.begin());
  }
  std::map<std::string, DecisionPoint> points;

 private:
  const std::string tile_;
};

TEST(PackedProducts, BlocksFitTheProduct) {
  ExaminingChooser chooser("8x3");
  const auto plan = DecideHostKernel(ProductKernel(30, 1000, 100), 4, /*written=*/true, chooser);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(*plan->Get<PackedProduct>().blocks, (ProductBlocks{8, 3, 48, 64, 128}));
  EXPECT_EQ(CountAllowed(chooser.points.at("k[S1].i_block")), 2);
  EXPECT_EQ(CountAllowed(chooser.points.at("k[S1].k_block")), 2);
  EXPECT_EQ(CountAllowed(chooser.points.at("k[S1].j_block")), 5);
  EXPECT_EQ(CountAllowed(chooser.points.at("k[S1].parallel")), 2);
  EXPECT_EQ(plan->Get<ParallelMember>().member, 0);
}

// Four blocks a thread, as far as blocks stay large enough; the tile is the compiler's to fit.
TEST(PackedProducts, EveryThreadHasBlocks) {
  const auto blocks = [](int64_t rows, int64_t columns, int threads) {
    DefaultChooser chooser;
    return *DecideHostKernel(ProductKernel(rows, columns, 300), threads, /*written=*/true, chooser)
                ->Get<PackedProduct>()
                .blocks;
  };
  EXPECT_EQ(blocks(700, 800, 1), (ProductBlocks{0, 2, 48, 256, 256}));
  EXPECT_EQ(blocks(300, 300, 1), (ProductBlocks{0, 2, 48, 256, 256}));
  EXPECT_EQ(blocks(700, 800, 2), (ProductBlocks{0, 2, 48, 256, 256}));
  EXPECT_EQ(blocks(700, 800, 16), (ProductBlocks{0, 2, 48, 128, 256}));
  EXPECT_EQ(blocks(300, 300, 16), (ProductBlocks{0, 2, 24, 64, 256}));
  EXPECT_EQ(blocks(100, 100, 64), (ProductBlocks{0, 2, 24, 64, 256}));
}

// A product of 64 x 64 x 64 takes some ten microseconds, about as long as threads take to start and to wait.
TEST(PackedProducts, SmallProductsHaveOneThread) {
  const auto parallel_member = [](int64_t extent) {
    DefaultChooser chooser;
    const auto plan = DecideHostKernel(ProductKernel(extent, extent, extent), 16, /*written=*/true, chooser);
    EXPECT_TRUE(plan->Get<PackedProduct>().blocks.has_value());
    return plan->Get<ParallelMember>().member;
  };
  EXPECT_EQ(parallel_member(64), -1);
  EXPECT_EQ(parallel_member(128), 0);
}

TEST(PackedProducts, WithoutATileItIsAKernelAsOthers) {
  ExaminingChooser chooser("none");
  const auto plan = DecideHostKernel(ProductKernel(30, 1000, 100), 4, /*written=*/true, chooser);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_FALSE(plan->Get<PackedProduct>().blocks);
  EXPECT_EQ(chooser.points.count("k[S1].tile_size_2"), 1u);
  EXPECT_EQ(chooser.points.count("k[S1].k_block"), 0u);
}

}  // namespace
}  // namespace tune
