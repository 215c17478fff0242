#include "common/transform/block_order/block_coordinates.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

constexpr char kAxes[] = R"(
  axis most 4, constant first
  axis most 4, first 3, constant first
  axis most 4
)";
constexpr char kBody[] = R"(  body
    if tune_t0 < tune_b0 && tune_t2 > 0
      run S0(A[tune_b1][tune_b2])
)";

std::string Coordinates(BlockOrder order, const std::string& attributes, const std::string& axes = kAxes,
                        const std::string& body = kBody) {
  DeviceKernel kernel = testing::KernelOf(absl::StrCat("kernel f of k[S0]", attributes, axes, body));
  DefineCoordinates(order, HelperNames(), &kernel);
  return PrintBlockText(kernel.coordinates);
}

TEST(DefineCoordinates, ThoseThatTheBodyMentions) {
  EXPECT_EQ(Coordinates(BlockOrder::kForward, ""), R"(define int tune_b0 = blockIdx.x
define int tune_t0 = threadIdx.x
define int tune_b1 = index(blockIdx.y) + 3
define int tune_b2 = blockIdx.z + tune_f2
define int tune_t2 = threadIdx.z
)");
  EXPECT_EQ(Coordinates(BlockOrder::kForward, "", kAxes, "  body\n    run S0(A[tune_b0])\n"),
            "define int tune_b0 = blockIdx.x\n");
  EXPECT_EQ(Coordinates(BlockOrder::kForward, "", kAxes, "  body\n    run S0(A[0])\n"), "");
}

TEST(DefineCoordinates, HaveTheKernelsTypeOfIndices) {
  EXPECT_EQ(Coordinates(BlockOrder::kForward, ", index long long", "\n  axis most 4, constant first\n"),
            "define long long tune_b0 = blockIdx.x\ndefine long long tune_t0 = threadIdx.x\n");
}

TEST(DefineCoordinates, OfBlocksInOtherOrders) {
  const std::string axes = "\n  axis most 4, constant first\n";
  const std::string body = "  body\n    run S0(A[tune_b0])\n";
  EXPECT_EQ(Coordinates(BlockOrder::kBackward, "", axes, body),
            "define int tune_b0 = gridDim.x - 1 - blockIdx.x\n");
  EXPECT_EQ(Coordinates(BlockOrder::kAlternating, ", host depth 2", axes, body),
            "define int tune_b0 = tune_h1 % 2 == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x\n");
  EXPECT_EQ(Coordinates(BlockOrder::kAlternatingBackward, ", host depth 1", axes, body),
            "define int tune_b0 = tune_h0 % 2 == 0 ? gridDim.x - 1 - blockIdx.x : blockIdx.x\n");
}

TEST(DefineCoordinates, OfALinearGridAreDigitsOfX) {
  const std::string body = "  body\n    run S0(A[tune_b0][tune_b1][tune_b2][tune_t1])\n";
  EXPECT_EQ(Coordinates(BlockOrder::kForward, ", linear grid", kAxes, body),
            R"(define int tune_b0 = index(blockIdx.x) % tune_n0
define int tune_b1 = index(index(blockIdx.x) / tune_n0 % tune_n1) + 3
define int tune_t1 = threadIdx.y
define int tune_b2 = index(blockIdx.x) / tune_n0 / tune_n1 + tune_f2
)");
}

// The launch's own blocks are in an order already.
TEST(DefineCoordinates, OfFunctionsAreForward) {
  EXPECT_EQ(Coordinates(BlockOrder::kBackward, ", function"), R"(define int tune_b0 = tune_block.x
define int tune_t0 = tune_thread.x
define int tune_b1 = index(tune_block.y) + 3
define int tune_b2 = tune_block.z + tune_f2
define int tune_t2 = tune_thread.z
)");
}

}  // namespace
}  // namespace tune
