// Products by matrix instructions: programs of floats, and of halves, at sizes that tiles do not divide, run
// by the simulator, where threads exchange by shuffles what the instruction does; results are near those of
// the sequential program, nearer than one product of TF32 numbers would be.
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/sanitized.h"
#include "tests/worker/cuda_programs/nvcc.h"
#include "tests/worker/cuda_programs/simulation.h"

namespace tune {
namespace {

constexpr double kTolerance = 2e-6;   // numbers of TF32 have 11 bits
constexpr uint64_t kMostSeeds = 400;  // that are looked at
constexpr size_t kCandidates = testing::kSanitized ? 1 : 3;

absl::StatusOr<v1::Scop> FloatScop(const std::string& program) {
  std::vector<std::string> flags = testing::OddSizes();
  flags.push_back("-DDATA_TYPE=float");
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction,
                        testing::ExtractFile(testing::ProgramPath(program), flags));
  return extraction.scops(0);
}

// A region of half_products.c.
absl::StatusOr<v1::Scop> HalfScop(int region) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction,
                        testing::ExtractFile(TUNE_SOURCE_DIR "/tests/tuned_builds/programs/half_products.c"));
  return extraction.scops(region);
}

CudaSpaceOptions Options(MatrixProducts products) {
  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 1;  // small products fill it
  options.products = products;
  return options;
}

bool UsesTensorCores(const std::string& configuration) {
  return absl::StrContains(configuration, ".tensor_cores = tf32x3") ||
         absl::StrContains(configuration, ".tensor_cores = f16");
}

// The default and the first random ones that compute products so.
absl::StatusOr<std::vector<Candidate>> Candidates(CudaSpace& space, const v1::Reference& reference) {
  std::vector<Candidate> candidates;
  for (uint64_t seed = 0; seed < kMostSeeds && candidates.size() < kCandidates; ++seed) {
    DefaultChooser standard;
    testing::RandomChooser random(seed);
    RecordingChooser recording(seed == 0 ? static_cast<Chooser*>(&standard) : &random);
    const auto plan = space.Walk(recording);
    if (absl::IsResourceExhausted(plan.status())) continue;
    TUNE_RETURN_IF_ERROR(plan.status());
    if (!UsesTensorCores(PrintConfiguration(recording.configuration()))) continue;
    absl::StatusOr<Candidate> candidate = MakeCandidate(space, reference, seed);
    if (absl::IsResourceExhausted(candidate.status())) continue;
    TUNE_RETURN_IF_ERROR(candidate.status());
    candidates.push_back(*std::move(candidate));
  }
  return candidates;
}

void ComputeNearlyTheSame(const v1::Scop& scop, MatrixProducts products) {
  const std::map<std::string, int64_t> values = testing::ParameterValues(scop, 51);
  const v1::Reference reference = testing::MakeReference(scop, values);
  const testing::Memory inputs = testing::MakeInputs(scop, reference, 5);
  const auto expected = testing::RunSequentially(scop, reference, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, Options(products), LittleWork());
  ASSERT_TRUE(space.ok()) << space.status();
  const auto candidates = Candidates(**space, reference);
  ASSERT_TRUE(candidates.ok()) << candidates.status();
  ASSERT_FALSE(candidates->empty());
  const auto simulation = Simulation::Make(*candidates);
  ASSERT_TRUE(simulation.ok()) << simulation.status();
  const absl::StatusOr<std::string> nvcc = FindNvcc();
  int computed = 0;
  for (size_t i = 0; i < candidates->size(); ++i) {
    const Candidate& candidate = (*candidates)[i];
    SCOPED_TRACE(candidate.configuration);
    computed += absl::StrContains(candidate.program.kernels, "mma.sync");
    testing::Memory found = inputs;
    const absl::Status run = (*simulation)->Run(i, found);
    ASSERT_TRUE(run.ok()) << run << "\n" << candidate.program.kernels << candidate.program.launches;
    for (const auto& [name, memory] : *expected) {
      EXPECT_TRUE(testing::CloseNumbers(found.at(name), memory, kTolerance)) << name << "\n"
                                                                             << candidate.program.kernels;
    }
    if (i == 0 && nvcc.ok()) CompileWithNvcc(*nvcc, candidate.program.kernels);
  }
  EXPECT_GT(computed, 0);
}

class TensorCoresTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TensorCoresTest, ComputeNearlyTheSame) {
  const auto scop = FloatScop(GetParam());
  ASSERT_TRUE(scop.ok()) << scop.status();
  ComputeNearlyTheSame(*scop, {.tf32x3 = true});
}

INSTANTIATE_TEST_SUITE_P(All, TensorCoresTest,
                         ::testing::Values("2mm", "correlation", "covariance", "gemm", "syr2k", "syrk"),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"-", "_"}});
                         });

// All but those whose results are rounded to halves, where sums may fall on either side, and the last ones,
// which are no products of halves.
class HalfProductsTest : public ::testing::TestWithParam<int> {};

TEST_P(HalfProductsTest, ComputeNearlyTheSame) {
  const auto scop = HalfScop(GetParam());
  ASSERT_TRUE(scop.ok()) << scop.status();
  ComputeNearlyTheSame(*scop, {.halves = true});
}

INSTANTIATE_TEST_SUITE_P(All, HalfProductsTest, ::testing::Values(0, 1, 2, 3, 4, 5, 7));

}  // namespace
}  // namespace tune
