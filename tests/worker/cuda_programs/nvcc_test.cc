// nvcc accepts the CUDA of a random configuration of tests/programs without a warning, where nvcc is
// installed; ptxas_test.cc compiles the defaults.
#include "tests/worker/cuda_programs/nvcc.h"

#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/cuda_programs/candidate.h"

namespace tune {
namespace {

constexpr uint64_t kSeed = 3;

class NvccTest : public ::testing::TestWithParam<std::string> {};

TEST_P(NvccTest, CompilesTheKernels) {
  const absl::StatusOr<std::string> nvcc = FindNvcc();
  if (!nvcc.ok()) GTEST_SKIP() << nvcc.status().message();
  const auto extraction = testing::ExtractFile(testing::ProgramPath(GetParam()), testing::OddSizes());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  for (const v1::Scop& scop : extraction->scops()) {
    const std::map<std::string, int64_t> values = testing::ParameterValues(scop, 33);
    const v1::Reference reference = testing::MakeReference(scop, values);
    const auto space =
        CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options(), LittleWork());
    ASSERT_TRUE(space.ok()) << space.status();
    const auto candidate = MakeCandidate(**space, reference, kSeed, /*check=*/false);
    if (absl::IsResourceExhausted(candidate.status()) || absl::IsInvalidArgument(candidate.status()))
      continue;
    ASSERT_TRUE(candidate.ok()) << candidate.status();
    SCOPED_TRACE(candidate->configuration);
    CompileWithNvcc(*nvcc, candidate->program.kernels);
  }
}

INSTANTIATE_TEST_SUITE_P(All, NvccTest, ::testing::ValuesIn(testing::ProgramNames()), [](const auto& info) {
  return absl::StrReplaceAll(info.param, {{"-", "_"}});
});

}  // namespace
}  // namespace tune
