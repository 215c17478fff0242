#include "worker/evaluate/cuda_kernel_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/worker/evaluate/recording_runner.h"
#include "tests/worker/kernels/kernel_study.h"
#include "worker/evaluate/kernel_inspection_target.h"
#include "worker/kernels/device_adapter.h"
#include "worker/kernels/kernel_arrays.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The definition of matmul.c as if it were of CUDA, with blocks.
v1::KernelDefinition OnGpu() {
  v1::KernelDefinition definition = testing::MatmulDefinition(32);
  definition.set_language(v1::KERNEL_LANGUAGE_CUDA);
  for (v1::KernelFunction& kernel : *definition.mutable_kernels()) {
    kernel.add_block("TILE_J");
    kernel.add_block("TILE_I");
    kernel.add_grid("n // TILE_J");
    kernel.add_grid("n // TILE_I");
  }
  definition.mutable_kernels(0)->set_dynamic_shared_bytes("8 * TILE_I * TILE_J");
  return definition;
}

class CudaKernelTargetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // Its compiler copies the text.
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/scripted", 1);
    folder_.emplace(*TemporaryFolder::Make());
    host_ = *HostCompiler::Make(folder_->path() + "/host");
    cubin_ = *CubinCompiler::MakeNvrtc("NVRTC 13.0", folder_->path() + "/cubins");
    std::vector<DevicePool::Member> members;
    members.push_back({"cuda:0", 0, std::make_unique<testing::RecordingRunner>(&requests_)});
    devices_ = std::make_unique<DevicePool>(std::move(members));
    setup_ = SetupOf(testing::KernelSpec(OnGpu(), "void matmul();"));
    setup_.mutable_program()->clear_compile_flags();
    setup_.set_target(v1::CUDA);
    setup_.mutable_device()->mutable_cuda()->set_compute_capability_major(9);
    setup_.mutable_device()->mutable_cuda()->set_max_threads_per_block(512);
    reference_.folder = "/reference";
    EXPECT_TRUE(DescribeArrays(setup_.kernel(), *KernelArrays(setup_.kernel()), &reference_.reference).ok());
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  std::unique_ptr<CudaKernelTarget> Target() {
    auto target =
        CudaKernelTarget::Make(setup_, reference_, {cubin_.get(), host_.get(), devices_.get(), nullptr});
    EXPECT_TRUE(target.ok()) << target.status();
    return *std::move(target);
  }

  static v1::Configuration Configuration(int tile_i, int tile_j) {
    v1::Configuration configuration;
    for (const auto& [key, value] : std::vector<std::pair<std::string, int>>{
             {"TILE_I", tile_i}, {"TILE_J", tile_j}, {"UNROLL", 2}, {"TRANSPOSED", 1}}) {
      v1::Decision& decision = *configuration.add_decisions();
      decision.set_key(key);
      decision.set_option(absl::StrCat(value));
    }
    return configuration;
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> host_;
  std::unique_ptr<CubinCompiler> cubin_;
  std::vector<CudaRunRequest> requests_;
  std::unique_ptr<DevicePool> devices_;
  v1::StudySetup setup_;
  ReferenceData reference_;
};

TEST_F(CudaKernelTargetTest, ACandidateAsTheRunnerTakesIt) {
  const auto target = Target();
  const auto generated = target->Generate(Configuration(16, 8));
  ASSERT_TRUE(generated.ok()) << generated.status();
  EXPECT_THAT(generated->code, HasSubstr("#define TILE_J 8\n"));
  EXPECT_THAT(generated->code, HasSubstr("grid 4 x 2, block 8 x 16"));
  ASSERT_EQ(generated->cuda.facts.size(), 2u);
  EXPECT_EQ(generated->cuda.facts[0].name, "matmul");
  const auto built = target->Build(*generated, {});
  ASSERT_TRUE(built.ok()) << built.status();
  ASSERT_TRUE(built->compiled.ok) << built->compiled.log;
  EXPECT_THAT(built->compiled.command, HasSubstr("-DTILE_J=8"));
  const v1::CudaCandidate& candidate = built->candidate.cuda;
  ASSERT_EQ(candidate.kernels_size(), 2);
  EXPECT_EQ(candidate.kernels(0).function(), "matmul");
  EXPECT_EQ(candidate.kernels(0).dynamic_shared_bytes(), 8 * 16 * 8);
  EXPECT_EQ(candidate.arrays_size(), 4);
  const auto reader = ConfigurationReader::Make(setup_.kernel());
  EXPECT_EQ(*ReadFile(candidate.cubin()),
            PrintDeviceText(setup_.kernel(), "matmul.c", *reader->Read(Configuration(16, 8)))->unit);
}

TEST_F(CudaKernelTargetTest, OtherBlocksAreOtherCode) {
  const auto target = Target();
  EXPECT_NE(target->Generate(Configuration(16, 8))->fingerprint,
            target->Generate(Configuration(8, 16))->fingerprint);
  EXPECT_EQ(target->Generate(Configuration(16, 8))->fingerprint,
            target->Generate(Configuration(16, 8))->fingerprint);
}

TEST_F(CudaKernelTargetTest, BlocksThatTheDeviceDoesNotTake) {
  setup_.mutable_device()->mutable_cuda()->set_max_threads_per_block(64);
  setup_.mutable_device()->set_model("small GPU");
  const auto generated = Target()->Generate(Configuration(16, 8));
  EXPECT_EQ(generated.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(generated.status().message(), "kernel transpose: 128 threads a block; small GPU takes 64");
}

TEST_F(CudaKernelTargetTest, ARunHasTheMethodsOfTheDefinition) {
  const auto target = Target();
  ASSERT_TRUE(target->Run({BuiltCandidate()}, {}).ok());
  ASSERT_EQ(requests_.size(), 1u);
  std::vector<std::string> compared;
  for (const v1::RunnerArray& array : requests_[0].job.arrays())
    if (!array.expected_file().empty()) compared.push_back(array.name());
  EXPECT_THAT(compared, ElementsAre("C"));  // T is not looked at
}

TEST_F(CudaKernelTargetTest, WhatComputedTheReferenceIsTheOriginal) {
  const auto original = Target()->BuildOriginal({});
  ASSERT_TRUE(original.ok() && original->has_value()) << original.status();
  EXPECT_THAT((*original)->compiled.command, HasSubstr("-DTILE_J=16"));
  setup_.mutable_kernel()->mutable_reference()->mutable_host_function()->set_name("plain");
  EXPECT_FALSE((*Target()->BuildOriginal({})).has_value());
}

TEST_F(CudaKernelTargetTest, IsLookedAtWithoutADevice) {
  auto target = KernelInspectionTarget::Make(setup_, cubin_.get(), host_.get(), nullptr);
  ASSERT_TRUE(target.ok()) << target.status();
  const auto kernels = (*target)->Compile(Configuration(16, 8), {});
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  const auto evaluated = ConfigurationReader::Make(setup_.kernel())->Read(Configuration(16, 8));
  const std::string unit = PrintDeviceText(setup_.kernel(), "matmul.c", *evaluated)->unit;
  EXPECT_EQ(kernels->ptx, unit);
  EXPECT_EQ(kernels->cubin, unit);
  ASSERT_EQ(kernels->launches.size(), 2u);
  const KernelLaunches& launches = kernels->launches[1];
  EXPECT_EQ(launches.kernel, "matmul");
  EXPECT_THAT(launches.launch.grid, ElementsAre(4, 2, 1));
  EXPECT_THAT(launches.launch.block, ElementsAre(8, 16, 1));
  EXPECT_EQ(launches.dynamic_shared_bytes, 8 * 16 * 8);
  EXPECT_EQ(launches.count, 1);
  EXPECT_THAT(launches.launch.parameters,
              ElementsAre(32, std::nullopt, std::nullopt, std::nullopt, std::nullopt));
}

TEST_F(CudaKernelTargetTest, ALaunchThatTheDeviceDoesNotTakeIsNotLookedAt) {
  setup_.mutable_device()->mutable_cuda()->set_max_threads_per_block(64);
  auto target = KernelInspectionTarget::Make(setup_, cubin_.get(), host_.get(), nullptr);
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_TRUE(absl::IsInvalidArgument((*target)->Compile(Configuration(16, 8), {}).status()));
}

}  // namespace
}  // namespace tune
