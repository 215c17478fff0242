// Defaults and random configurations of tests/programs for devices of several generations: what is generated
// passes the check of its mapping and asks no more of the device than it has. Environment:
// TUNE_DEVICE_CONFIGURATIONS, how many random ones a program and device.
#include "tests/common/testing/device_models.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/sanitized.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/cuda_programs/candidate.h"
#include "tests/worker/cuda_programs/kernel_limits.h"

namespace tune {
namespace {

// Seeds of a program's configurations for a device, by their places: 0 is the default one. Where no number of
// random ones is given each device has the default one of every third program, in turn, and there are two
// random ones a program, for two of the devices.
std::vector<uint64_t> SeedsOf(size_t program, size_t device, size_t devices) {
  std::vector<uint64_t> seeds;
  const char* const given = std::getenv("TUNE_DEVICE_CONFIGURATIONS");
  if (given != nullptr || (program + device) % 3 == 0) seeds.push_back(0);
  const int last = given != nullptr ? std::atoi(given) : testing::kSanitized ? 0 : 2;
  for (int seed = 1; seed <= last; ++seed) {
    if (given != nullptr || (program + seed) % devices == device) seeds.push_back(seed);
  }
  return seeds;
}

// Those of which there are models, and one of which nothing is known.
std::vector<v1::Device> Devices() {
  std::vector<v1::Device> devices = testing::DeviceModels();
  v1::Device unknown;
  unknown.set_target(v1::CUDA);
  unknown.set_model("unknown");
  devices.push_back(unknown);
  return devices;
}

// Blocks that wait for each other are all there at once.
void ExpectAllAtOnce(const DeviceFacts& device, const KernelLimits& kernel, const std::string& plan) {
  static const std::regex kGrid(R"(\{0, \{(\d+), 1, 1\})");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(plan, found, kGrid)) << plan;
  EXPECT_TRUE(device.cooperative_launch);
  EXPECT_LE(std::stoll(found[1]), kernel.blocks * device.multiprocessors);
  EXPECT_LE(kernel.blocks * (kernel.shared_bytes + device.reserved_shared_bytes_per_block),
            device.shared_bytes_per_multiprocessor);
}

void ExpectWithinLimits(const DeviceFacts& device, const CudaProgram& program) {
  const std::vector<KernelLimits> kernels = LimitsOfKernels(program.kernels);
  ASSERT_EQ(kernels.size(), program.facts.size());
  for (size_t i = 0; i < kernels.size(); ++i) {
    const CudaKernelFacts& facts = program.facts[i];
    SCOPED_TRACE(facts.function);
    EXPECT_EQ(facts.threads[0] * facts.threads[1] * facts.threads[2], kernels[i].threads);
    EXPECT_LE(facts.threads[2], 64);
    EXPECT_LE(kernels[i].threads, device.max_threads_per_block);
    EXPECT_LE(kernels[i].blocks, device.max_blocks_per_multiprocessor);
    EXPECT_LE(kernels[i].blocks * kernels[i].threads, device.max_threads_per_multiprocessor);
    EXPECT_LE(kernels[i].shared_bytes, device.shared_bytes_per_block);
    EXPECT_LE(kernels[i].shared_bytes + facts.dynamic_shared_bytes, device.shared_bytes_per_block_optin);
    if (facts.cooperative) ExpectAllAtOnce(device, kernels[i], program.launches);
  }
  // All sums of the programs are of doubles.
  const bool adds = absl::StrContains(program.kernels, "atomicAdd");
  EXPECT_TRUE(!adds || device.HasAtomicAddOfDoubles());
}

class DeviceModelsTest : public ::testing::TestWithParam<size_t> {};  // a program's place

TEST_P(DeviceModelsTest, ConfigurationsKeepTheDevicesLimits) {
  const std::string name = testing::ProgramNames()[GetParam()];
  const auto extraction = testing::ExtractProgram(name);
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  const v1::Scop& scop = extraction->scops(0);
  const std::map<std::string, int64_t> values = testing::LargeValues(name, scop);
  const v1::Reference reference = testing::MakeReference(scop, values);
  const std::vector<v1::Device> devices = Devices();
  for (size_t i = 0; i < devices.size(); ++i) {
    const v1::Device& device = devices[i];
    const std::vector<uint64_t> seeds = SeedsOf(GetParam(), i, devices.size());
    if (seeds.empty()) continue;
    SCOPED_TRACE(device.model());
    const auto space =
        CudaSpace::Make(WithParameterFacts(scop, values), values, CudaOptionsOf(device), LittleWork());
    ASSERT_TRUE(space.ok()) << space.status();
    for (const uint64_t seed : seeds) {
      const auto candidate = MakeCandidate(**space, reference, seed);
      // Too hard a schedule, or more shared memory in one launch than there is, is a candidate's outcome.
      if (seed > 0 &&
          (absl::IsResourceExhausted(candidate.status()) || absl::IsInvalidArgument(candidate.status())))
        continue;
      ASSERT_TRUE(candidate.ok()) << "seed " << seed << ": " << candidate.status();
      SCOPED_TRACE(candidate->configuration);
      ExpectWithinLimits((*space)->options().device, candidate->program);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceModelsTest, ::testing::Range<size_t>(0, testing::ProgramNames().size()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(testing::ProgramNames()[info.param], {{"-", "_"}});
                         });

}  // namespace
}  // namespace tune
