#include "common/transform/asynchronous_fills/asynchronous_fills.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/buffers/buffers.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

Kernel Product(int64_t rows, int64_t terms, int64_t bytes = 4) {
  Kernel kernel = testing::MakeKernel({true, true, false}, {rows, rows, terms});
  kernel.read_only_arrays = {"A", "B"};
  kernel.constant_reads = {{"S0", 1}, {"S0", 2}};
  kernel.constant_references = 2;
  kernel.constant_bytes = bytes;
  return kernel;
}

TEST(AsynchronousFills, AreForDevicesThatHaveThem) {
  DeviceFacts turing = testing::H200Options().device;
  turing.compute_capability_major = 7;
  turing.compute_capability_minor = 5;
  const DeviceFacts hopper = testing::H200Options().device;
  EXPECT_THAT(testing::Offered(Product(2000, 2000), hopper, "k.fills"), ElementsAre("plain", "asynchronous"));
  EXPECT_THAT(testing::Offered(Product(2000, 2000), turing, "k.fills"), ElementsAre("plain"));
  EXPECT_TRUE(testing::Default(Product(2000, 2000), hopper).Get<FillCopies>().asynchronous);
  EXPECT_FALSE(testing::Default(Product(2000, 2000), turing).Get<FillCopies>().asynchronous);
}

TEST(AsynchronousFills, MoreThanTwoBuffersAreForThem) {
  const DeviceFacts hopper = testing::H200Options().device;
  EXPECT_THAT(testing::Offered(Product(2000, 2000), hopper, "k.buffers", {{"k.fills", "plain"}}),
              ElementsAre("1", "2"));
  EXPECT_THAT(testing::Offered(Product(2000, 2000), hopper, "k.buffers"), ElementsAre("1", "2", "3", "4"));
}

// As many copies as fit in what a kernel has without asking: 48 KiB.
TEST(AsynchronousFills, ThereAreThreeBuffersWhereThereIsRoom) {
  const auto copies = [](const Kernel& kernel, const std::map<std::string, std::string>& settings) {
    return testing::Plan(kernel, settings).Get<TileBuffers>().copies;
  };
  EXPECT_EQ(copies(Product(2000, 2000), {}), 3);                           // (128 + 64) x 16 floats
  EXPECT_EQ(copies(Product(2000, 2000), {{"k.inner_tile", "32"}}), 1);     // 24 KiB
  EXPECT_EQ(copies(Product(2000, 2000), {{"k.inner_tile", "64"}}), 1);     // 48 KiB
  EXPECT_EQ(copies(Product(2000, 2000, 8), {}), 2);                        // (64 + 64) x 16 doubles
  EXPECT_EQ(copies(Product(2000, 2000, 8), {{"k.inner_tile", "32"}}), 1);  // 32 KiB
  EXPECT_EQ(copies(Product(2000, 2000), {{"k.fills", "plain"}}), 1);
}

}  // namespace
}  // namespace tune
