#include "worker/cases/measured_registers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/cuda_toolkit.h"
#include "tests/common/cases/properties.h"
#include "tests/worker/cases/example_programs.h"

namespace tune {
namespace {

// What nvcc counts is not always less where a strategy was applied: the properties hold all the same.
TEST(MeasuredRegisters, OfAllVariantsMakeCasesWithAllProperties) {
  if (!FindNvcc().ok()) GTEST_SKIP() << "no nvcc";
  const ParametricRegion region = ExampleRegion("product");
  const auto measured = MeasureRegisters(region, "sm_90");
  ASSERT_TRUE(measured.ok()) << measured.status();
  ASSERT_EQ(measured->size(), 1);
  EXPECT_EQ(measured->at(0).size(), AllVariants(true, true).size());
  for (const auto& [suffix, registers] : measured->at(0)) {
    EXPECT_GE(registers, 16) << suffix;
    EXPECT_LE(registers, 255) << suffix;
  }
  const KernelProblem problem(region.kernels[0], region.scop, measured->at(0));
  const auto draw = [&](Random& random) {
    Point point = {{kThreadsLimit, 1 + static_cast<int64_t>(random.Below(4096))},
                   {kRegistersLimit, 1 + static_cast<int64_t>(random.Below(1 << 17))},
                   {kSharedLimit, static_cast<int64_t>(random.Below(1 << 16))}};
    for (const char* name : {"B0", "B1", "s", "K"}) point[name] = 1 + static_cast<int64_t>(random.Below(64));
    return point;
  };
  EXPECT_GT(CheckProperties(problem, draw, 10'000, 9), 2000);
}

TEST(MeasuredRegisters, UnknownArchitecturesAreNvccsToRefuse) {
  if (!FindNvcc().ok()) GTEST_SKIP() << "no nvcc";
  const auto measured = MeasureRegisters(ExampleRegion("matrix_addition"), "sm_1");
  EXPECT_TRUE(absl::IsFailedPrecondition(measured.status())) << measured.status();
}

}  // namespace
}  // namespace tune
