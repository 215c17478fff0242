#include "common/transform/tensor_cores/tensor_cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

// Of 2000 x 2000 floats.
Kernel Product() {
  Kernel kernel = testing::MakeKernel({true, true, false}, {2000, 2000, 2000});
  kernel.constant_reads = {{"S0", 1}, {"S0", 2}};
  kernel.constant_references = 2;
  kernel.constant_bytes = 4;
  return kernel;
}

// Of as many numbers of _Float16.
Kernel HalfProduct() {
  Kernel kernel = Product();
  kernel.constant_bytes = 2;
  kernel.constant_halves = true;
  return kernel;
}

using Of = TensorCoreProducts::Of;
constexpr MatrixProducts kTf32{.tf32x3 = true}, kHalves{.halves = true};

// With these settings, else defaults; none: it was not asked.
std::optional<Of> DecidedOf(const Kernel& kernel, const std::map<std::string, std::string>& settings,
                            const v1::Device& device, MatrixProducts products) {
  testing::SettingChooser chosen(settings);
  RecordingChooser recording(&chosen);
  const KernelPlan plan =
      DecideKernel(kernel, CudaOptionsOf(device).device, /*exact=*/false, recording, products).value();
  for (const v1::Decision& decision : recording.configuration().decisions()) {
    if (decision.key() == "k.tensor_cores") return plan.Get<TensorCoreProducts>().of;
  }
  EXPECT_FALSE(plan.Get<TensorCoreProducts>().on());
  return std::nullopt;
}

std::optional<bool> Decided(const Kernel& kernel, const std::map<std::string, std::string>& settings = {},
                            const v1::Device& device = testing::H200(), MatrixProducts products = kTf32) {
  const std::optional<Of> of = DecidedOf(kernel, settings, device, products);
  if (!of) return std::nullopt;
  EXPECT_TRUE(*of == Of::kNone || *of == Of::kFloats);
  return *of == Of::kFloats;
}

std::optional<Of> DecidedOfHalves(const Kernel& kernel,
                                  const std::map<std::string, std::string>& settings = {},
                                  const v1::Device& device = testing::H200()) {
  return DecidedOf(kernel, settings, device, kHalves);
}

TEST(TensorCores, AreTheDefaultOfProductsWhereTheyAreAskedFor) {
  EXPECT_EQ(Decided(Product()), true);
  EXPECT_EQ(Decided(Product(), {{"k.tensor_cores", "off"}}), false);
  EXPECT_EQ(Decided(Product(), {}, testing::A100()), true);
  EXPECT_EQ(Decided(Product(), {}, testing::H200(), {}), std::nullopt);
  EXPECT_EQ(Decided(Product(), {}, testing::T4()), std::nullopt);
}

TEST(TensorCores, AreOfFloatsInSharedMemoryAndSumsInRegisters) {
  Kernel doubles = Product();
  doubles.constant_bytes = 8;
  EXPECT_EQ(Decided(doubles), std::nullopt);
  EXPECT_EQ(Decided(Product(), {{"k.shared", "off"}}), std::nullopt);
  EXPECT_EQ(Decided(Product(), {{"k.registers", "off"}}), std::nullopt);
  Kernel one = Product();
  one.constant_references = 1;
  EXPECT_EQ(Decided(one), std::nullopt);
}

TEST(TensorCores, AreOfThreadsThatMakeWarpsWithTwoPointsEachAtLeast) {
  const auto tiles = [](const char* x_tile, const char* x, const char* y_tile, const char* y) {
    return Decided(
        Product(),
        {{"k.tile_size_1", x_tile}, {"k.block_size_1", x}, {"k.tile_size_0", y_tile}, {"k.block_size_0", y}});
  };
  EXPECT_EQ(tiles("32", "8", "32", "8"), true);
  EXPECT_EQ(tiles("32", "16", "16", "8"), true);
  EXPECT_EQ(tiles("32", "32", "16", "8"), std::nullopt);
  EXPECT_EQ(tiles("64", "32", "8", "8"), std::nullopt);
  EXPECT_EQ(tiles("64", "32", "16", "4"), std::nullopt);
}

TEST(TensorCores, AreTheDefaultOfHalvesWhereTheirProductsAreAskedFor) {
  EXPECT_EQ(DecidedOfHalves(HalfProduct()), Of::kHalves);
  EXPECT_EQ(DecidedOfHalves(HalfProduct(), {{"k.tensor_cores", "off"}}), Of::kNone);
  EXPECT_EQ(DecidedOfHalves(HalfProduct(), {}, testing::A100()), Of::kHalves);
  EXPECT_EQ(DecidedOfHalves(HalfProduct(), {}, testing::T4()), Of::kHalves);
  EXPECT_EQ(DecidedOfHalves(HalfProduct(), {}, testing::P100()), std::nullopt);
  EXPECT_EQ(DecidedOf(HalfProduct(), {}, testing::H200(), {}), std::nullopt);
  EXPECT_EQ(DecidedOf(HalfProduct(), {}, testing::H200(), kTf32), std::nullopt);
  EXPECT_EQ(DecidedOfHalves(Product()), std::nullopt);
}

TEST(TensorCores, AreOfHalvesWhoseThreadsHaveNeighbouringColumns) {
  const auto in = [](const char* distribution, const char* x) {
    return DecidedOfHalves(HalfProduct(), {{"k.tile_size_1", "64"},
                                           {"k.block_size_1", x},
                                           {"k.tile_size_0", "64"},
                                           {"k.block_size_0", "8"},
                                           {"k.distribution", distribution}});
  };
  EXPECT_EQ(in("pieces", "8"), Of::kHalves);
  EXPECT_EQ(in("pieces", "16"), Of::kHalves);
  EXPECT_EQ(in("pieces", "32"), std::nullopt);
  EXPECT_EQ(in("cyclic", "8"), std::nullopt);
  EXPECT_EQ(in("blocked", "8"), std::nullopt);
}

}  // namespace
}  // namespace tune
