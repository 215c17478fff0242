// Products by matrix instructions, interpreted and proven; wrong ones are found.
#include <gtest/gtest.h>

#include "common/array/element_type.h"
#include "common/program/warp_product.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "tests/worker/device_programs/mutation.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

constexpr uint64_t kWrongPrograms = 8;

// C = C + A B of floats, A and B of elements of `type`.
v1::Scop Product(v1::ElementType type) {
  const std::string c_type(ElementCType(type));
  const v1::Expression product = testing::Multiply(testing::Read(0, c_type), testing::Read(1, c_type));
  v1::Scop scop = testing::ScopBuilder("product", {"n", "m", "k"}, "n >= 0 and m >= 0 and k >= 0")
                      .Array("C", {"n", "m"})
                      .Array("A", {"n", "k"})
                      .Array("B", {"k", "m"})
                      .Begin("i", "0 <= i < n")
                      .Begin("j", "0 <= j < m")
                      .Begin("l", "0 <= l < k")
                      .Update(v1::ADD, {"C", "i, j"}, {{"A", "i, l"}, {"B", "l, j"}}, product)
                      .End()
                      .End()
                      .End()
                      .Build();
  for (v1::Array& array : *scop.mutable_arrays())
    array.set_element_type(array.name() == "C" ? v1::ELEMENT_TYPE_FLOAT : type);
  return scop;
}
v1::Scop FloatProduct() { return Product(v1::ELEMENT_TYPE_FLOAT); }
v1::Scop HalfProduct() { return Product(v1::ELEMENT_TYPE_FLOAT16); }

void ExpectRightAndWhatIsWrongFound(const v1::Scop& scop, MatrixProducts products) {
  const std::map<std::string, int64_t> values = {{"n", 35}, {"m", 66}, {"k", 41}};
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto expected = testing::ExpectedResidues(scop, reference, values);
  ASSERT_TRUE(expected.ok()) << expected.status();
  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 1;
  options.products = products;
  const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, options, LittleWork());
  ASSERT_TRUE(space.ok()) << space.status();
  const auto small = testing::MakeSmallProgram(**space, reference, /*seed=*/0);
  ASSERT_TRUE(small.ok()) << small.status();
  ASSERT_TRUE(HasWarpProducts(small->device.kernels[0])) << small->configuration;
  EXPECT_EQ(testing::Difference(*small, small->device, *expected), "") << small->configuration;
  EXPECT_EQ(testing::Check(*small, small->device), absl::OkStatus()) << small->configuration;
  int found = 0;
  for (uint64_t number = 0; number < kWrongPrograms; ++number) {
    const auto mutant = testing::Mutate(small->device, number);
    if (!mutant) continue;
    const absl::Status check = testing::Check(*small, mutant->program);
    found += absl::IsFailedPrecondition(check);
    if (check.ok()) {
      EXPECT_EQ(testing::Difference(*small, mutant->program, *expected), "") << mutant->change;
    }
  }
  EXPECT_GT(found, 2);
}

TEST(TensorCores, AreRightAndWhatIsWrongIsFound) {
  ExpectRightAndWhatIsWrongFound(FloatProduct(), {.tf32x3 = true});
}

TEST(TensorCores, OfHalvesAreRightAndWhatIsWrongIsFound) {
  ExpectRightAndWhatIsWrongFound(HalfProduct(), {.halves = true});
}

// Changes one thing of the kernel's loop that a warp computes, and says what the check finds.
absl::Status CheckChanged(const std::function<void(DeviceKernel* kernel, Loop* product)>& change,
                          const v1::Scop& scop = FloatProduct(), MatrixProducts products = {.tf32x3 = true}) {
  const std::map<std::string, int64_t> values = {{"n", 64}, {"m", 64}, {"k", 32}};
  const v1::Reference reference = testing::MakeReference(scop, values);
  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 1;
  options.products = products;
  TUNE_ASSIGN_OR_RETURN(const auto space,
                        CudaSpace::Make(WithParameterFacts(scop, values), values, options, LittleWork()));
  TUNE_ASSIGN_OR_RETURN(testing::SmallProgram small,
                        testing::MakeSmallProgram(*space, reference, /*seed=*/0));
  DeviceKernel& kernel = small.device.kernels[0];
  Loop* product = nullptr;
  ForEachNode(kernel.body, [&](Node& node) {
    auto* const loop = node.As<Loop>();
    if (loop != nullptr && loop->warp_product) product = loop;
  });
  if (product == nullptr) return absl::NotFoundError("no loop is computed by warps");
  change(&kernel, product);
  return testing::Check(small, small.device);
}

TEST(TensorCores, ThreadsThatAreArrangedOtherwiseAreFound) {
  EXPECT_EQ(CheckChanged([](DeviceKernel*, Loop*) {}), absl::OkStatus());
  const auto as_numbered = [](DeviceKernel* kernel, Loop*) {
    for (Node& node : kernel->coordinates) {
      auto* const definition = node.As<Definition>();
      if (definition->name == "tune_t0") definition->value = IndexExpression::Name("threadIdx.x");
      if (definition->name == "tune_t1") definition->value = IndexExpression::Name("threadIdx.y");
    }
  };
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckChanged(as_numbered)));
  const auto no_product = [](DeviceKernel*, Loop* loop) { loop->warp_product = false; };
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckChanged(no_product)));
}

// A warp loads 16 bytes at once.
TEST(TensorCores, HalvesWhoseRowsBeginElsewhereAreFound) {
  const auto check = [](const std::function<void(DeviceKernel*, Loop*)>& change) {
    return CheckChanged(change, HalfProduct(), {.halves = true});
  };
  EXPECT_EQ(check([](DeviceKernel*, Loop*) {}), absl::OkStatus());
  for (const char* const array : {"A", "B"}) {
    const auto longer = [&](DeviceKernel* kernel, Loop*) {
      for (Tile& tile : kernel->tiles) tile.row_length += tile.array == array ? 4 : 0;
    };
    EXPECT_TRUE(absl::IsFailedPrecondition(check(longer))) << array;
  }
}

TEST(TensorCores, ProductsThatSomeThreadsOfAWarpReachAloneAreFound) {
  const auto of_some = [](DeviceKernel*, Loop* loop) {
    using Op = IndexExpression::Op;
    const IndexExpression row = IndexExpression::Name("tune_t1");
    Loop inside = *loop;
    inside.iterator = loop->iterator + "_inside";
    // All threads run it, but the text does not say so.
    Condition always{IndexExpression::Of(Op::kGreaterEqual, {row, IndexExpression::Constant(0)}), {}, {}};
    always.then.push_back({*loop});
    loop->first = IndexExpression::Constant(0);
    loop->condition = IndexExpression::Of(
        Op::kLess, {IndexExpression::Name(inside.iterator), IndexExpression::Constant(1)});
    loop->iterator = inside.iterator;
    loop->body = {{std::move(always)}};
    loop->warp_product = false;
  };
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckChanged(of_some)));
}

}  // namespace
}  // namespace tune
