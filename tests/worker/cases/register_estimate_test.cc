#include "worker/cases/register_estimate.h"

#include <gtest/gtest.h>

#include "tests/worker/cases/example_programs.h"

namespace tune {
namespace {

int Registers(const ParametricRegion& region, const KernelVariant& variant) {
  return EstimateRegisters(region.kernels.at(0), region.scop, variant);
}

TEST(RegisterEstimate, CoarseningCachingAndAddressesCost) {
  const ParametricRegion region = ExampleRegion("jacobi_1d");
  const KernelVariant all;
  KernelVariant fewer = all;
  fewer.coarsened = false;
  EXPECT_EQ(Registers(region, all) - Registers(region, fewer), 2);  // the number of the point
  KernelVariant plain = all;
  plain.cached = false;
  EXPECT_EQ(Registers(region, all) - Registers(region, plain), 2);  // where the tile is
  KernelVariant shared = all;
  shared.shared_addresses = 1;
  EXPECT_EQ(Registers(region, all) - Registers(region, shared), 4);  // of three neighbours two
}

TEST(RegisterEstimate, ABoundIsKept) {
  const ParametricRegion region = ExampleRegion("product");
  KernelVariant variant;
  variant.bounded = true;
  EXPECT_LE(Registers(region, variant), kRegisterBound);
}

}  // namespace
}  // namespace tune
