// CUDA for sums of elements that data decide.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/scop_builder.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "worker/codegen/cuda_generator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The kernels of hist[a[i]] += w[i], doubles, by the default configuration.
absl::StatusOr<std::string> KernelsOfSums(const CudaSpaceOptions& options) {
  const v1::Scop scop =
      testing::ScopBuilder("sums", {"n"}, "n >= 1")
          .Array("hist", {"9"})
          .Array("a", {"n"})
          .Array("w", {"n"})
          .Begin("i", "0 <= i < n")
          .Update(v1::ADD, {"hist", "o", "0 <= o < 9"}, {{"a", "i"}, {"w", "i"}},
                  testing::UpdateOf(testing::Read(1), {testing::ToInteger(testing::Read(0))}))
          .End()
          .Build();
  const std::map<std::string, int64_t> values = {{"n", 1000}};
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<CudaSpace> space,
                        CudaSpace::Make(WithParameterFacts(scop, values), values, options));
  DefaultChooser chooser;
  TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, space->Walk(chooser));
  TUNE_ASSIGN_OR_RETURN(const CudaProgram program,
                        GenerateCuda(plan, options, testing::MakeReference(scop, values)));
  return program.kernels;
}

TEST(DataSums, AreAtomicInAllThreads) {
  const auto kernels = KernelsOfSums(testing::H200Options());
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_THAT(*kernels, HasSubstr("atomicAdd(&hist[(int)a["));
  EXPECT_THAT(*kernels, Not(HasSubstr("for (")));
}

TEST(DataSums, KeepTheirOrderWhereResultsAreExact) {
  CudaSpaceOptions options = testing::H200Options();
  options.exact = true;
  const auto kernels = KernelsOfSums(options);
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_THAT(*kernels, HasSubstr("for ("));
}

TEST(DataSums, OfDoublesAreRefusedWhereDevicesLackThem) {
  CudaSpaceOptions options = testing::H200Options();
  options.device.compute_capability_major = 5;
  EXPECT_THAT(std::string(KernelsOfSums(options).status().message()), HasSubstr("compute capability 6.0"));
}

}  // namespace
}  // namespace tune
