// Classes of sizes of a product on an H200: needs tune-extract.
#include "worker/codegen/size_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Parameters = std::vector<std::string>;

v1::Scop ProductScop() {
  const auto extraction = testing::ExtractFile(testing::ProgramPath("gemm"));
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  return extraction.ok() ? extraction->scops(0) : v1::Scop();
}

TEST(SizeGrid, HasAnAxisForEachParameter) {
  SizeGrid grid;
  grid.axes = {{"n"}, {"m", "k"}};
  grid.sizes = {4, 40, 400};
  EXPECT_EQ(grid.CellCount(), 9);
  EXPECT_THAT(grid.PlaceOf(5), ElementsAre(1, 2));
  EXPECT_THAT(grid.ValuesAt(5),
              UnorderedElementsAre(std::pair("n", 40), std::pair("m", 400), std::pair("k", 400)));
  EXPECT_EQ(grid.Distance(5, 5), 0);
  EXPECT_EQ(grid.Distance(5, 6), 1 + 4);
}

TEST(SizeGrid, HasFewerSizesWhereThereAreMoreParameters) {
  const SizeGrid product = DefaultSizeGrid(ProductScop());
  EXPECT_THAT(product.axes, ElementsAre(Parameters{"ni"}, Parameters{"nj"}, Parameters{"nk"}));
  ASSERT_EQ(product.limits.size() + 1, product.sizes.size());
  EXPECT_THAT(product.limits, ::testing::IsSupersetOf({32., 64., 2048.}));
  for (size_t i = 0; i < product.limits.size(); ++i) {
    EXPECT_LT(static_cast<double>(product.sizes[i]), product.limits[i]);
    EXPECT_GT(static_cast<double>(product.sizes[i + 1]), product.limits[i]);
  }
  v1::Scop many = ProductScop();
  for (const char* const name : {"a", "b"}) many.add_parameters()->set_name(name);
  EXPECT_THAT(DefaultSizeGrid(many).axes, ElementsAre(Parameters{"ni", "nj", "nk", "a", "b"}));
  EXPECT_GT(DefaultSizeGrid(many).sizes.size(), product.sizes.size());
  many.mutable_parameters(4)->add_factors("ni");  // no parameter of its own
  EXPECT_EQ(DefaultSizeGrid(many).axes.size(), 4);
}

// Vectors are long, matrices with rows of such lengths are not.
TEST(SizeGrid, OfOneParameterReachesTheLargestArrays) {
  v1::Scop scop;
  scop.add_parameters()->set_name("n");
  scop.add_arrays()->add_extents();
  const SizeGrid vectors = DefaultSizeGrid(scop);
  ASSERT_EQ(vectors.limits.size() + 1, vectors.sizes.size());
  EXPECT_THAT(vectors.limits, ::testing::IsSupersetOf({32., 64., 2048., 4096.}));
  EXPECT_GT(vectors.sizes.back(), 1 << 28);
  scop.mutable_arrays(0)->add_extents();
  const SizeGrid matrices = DefaultSizeGrid(scop);
  EXPECT_GT(matrices.sizes.back(), 4096);
  EXPECT_LT(matrices.sizes.back(), 1 << 15);
}

class SizeClasses : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = SymbolicPlans::Make(ProductScop(), testing::H200Options(), 1 << 15);
    ASSERT_TRUE(made.ok()) << made.status();
    plans_ = *std::move(made);
  }

  std::string Decisions(const SizeValues& sizes) const {
    const auto defaults = plans_->DefaultsAt(sizes);
    return defaults.ok() ? defaults->decisions : defaults.status().ToString();
  }

  std::shared_ptr<const SymbolicPlans> plans_;
};

TEST_F(SizeClasses, AreCellsOfTheSameDecisions) {
  absl::Status status;
  const auto classes = FindClasses(*plans_, MakeSizeGrid(ProductScop(), {100, 400, 3600, 4000}), &status);
  EXPECT_TRUE(status.ok()) << status;
  ASSERT_EQ(classes.cells.size(), 64);
  std::vector<size_t> counts(classes.typical.size());
  for (const SizeCell& cell : classes.cells) {
    ASSERT_GE(cell.size_class, 0);
    const SizeCell& typical = classes.cells[classes.typical.at(cell.size_class)];
    EXPECT_EQ(typical.size_class, cell.size_class);
    EXPECT_EQ(Decisions(typical.sizes), Decisions(cell.sizes));
    ++counts[cell.size_class];
  }
  EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend()));
  const auto class_of = [&](size_t i, size_t j, size_t k) {
    return classes.cells[(i * 4 + j) * 4 + k].size_class;
  };
  EXPECT_EQ(class_of(3, 3, 3), class_of(2, 2, 2));
  EXPECT_NE(class_of(3, 3, 3), class_of(1, 1, 1));
  EXPECT_NE(class_of(1, 1, 1), class_of(0, 0, 0));
}

TEST_F(SizeClasses, SizesThatParametersCannotHaveAreInNone) {
  v1::Scop scop = ProductScop();
  scop.set_context("[ni, nj, nk] -> { : ni >= 0 and nj >= 0 and nk >= 0 and ni + nj <= 3000 }");
  const auto plans = SymbolicPlans::Make(scop, testing::H200Options(), 1 << 15);
  ASSERT_TRUE(plans.ok()) << plans.status();
  absl::Status status;
  const auto classes = FindClasses(**plans, MakeSizeGrid(scop, {400, 2800}), &status);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_GE(classes.cells[0].size_class, 0);
  EXPECT_GE(classes.cells[1].size_class, 0);
  EXPECT_EQ(classes.cells[7].size_class, -1);
}

}  // namespace
}  // namespace tune
