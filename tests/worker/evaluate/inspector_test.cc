#include "worker/evaluate/inspector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "worker/build/host_compiler.h"
#include "worker/evaluate/recorded_launches.h"
#include "worker/print/launch_sequence.h"
#include "worker/ptx/ptx_reader.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHead[] = ".version 9.0\n.target sm_90\n.address_size 64\n";
constexpr char kSmall[] = ".visible .entry small(.param .u64 A, .param .u64 s, .param .u32 t) { ret; }\n";

class LaunchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    host_ = *HostCompiler::Make(folder_->path());
    CudaKernelFacts facts;
    facts.function = "small";
    facts.dynamic_shared_bytes = 64;
    program_.facts = {facts};
    program_.arrays.resize(2);
    program_.arrays[1].by_value = true;
  }

  // The statements of the launch sequence.
  absl::StatusOr<std::vector<KernelLaunches>> Record(const std::string& body) {
    program_.launches = absl::StrCat(kLaunchSequenceDeclarations, kLaunchSequenceHead, body, "}\n");
    const absl::StatusOr<PtxModule> module = ReadPtx(absl::StrCat(kHead, kSmall));
    EXPECT_TRUE(module.ok()) << module.status();
    CompileLimits limits;
    limits.wall = absl::Seconds(10);
    return RecordLaunches(program_, *module, host_.get(), limits);
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> host_;
  CudaProgram program_;
};

TEST_F(LaunchesTest, AreThoseOfTheSequence) {
  const auto launches = Record(R"(
  for (int t = -1; t < 4; ++t) {
    int number = t < 2 ? t : 2;
    void *arguments[] = {(void *)&memory[0], (void *)host[1], &number};
    const struct tune_launch one = {0, {10, 2, 1}, {32, 4, 1}, arguments};
    launch(context, &one);
  }
)");
  ASSERT_TRUE(launches.ok()) << launches.status();
  std::vector<double> counts;
  std::vector<int64_t> numbers;
  for (const KernelLaunches& one : *launches) {
    EXPECT_EQ(one.kernel, "small");
    EXPECT_EQ(one.dynamic_shared_bytes, 64);
    EXPECT_THAT(one.launch.grid, ElementsAre(10, 2, 1));
    EXPECT_THAT(one.launch.block, ElementsAre(32, 4, 1));
    ASSERT_EQ(one.launch.parameters.size(), 3);
    EXPECT_FALSE(one.launch.parameters[0].has_value());
    EXPECT_FALSE(one.launch.parameters[1].has_value()) << "a scalar of the region";
    counts.push_back(one.count);
    numbers.push_back(one.launch.parameters[2].value_or(99));
  }
  EXPECT_THAT(numbers, ElementsAre(-1, 0, 1, 2));
  EXPECT_THAT(counts, ElementsAre(1, 1, 1, 2));
}

TEST_F(LaunchesTest, OfASequenceThatFailsAreNone) {
  EXPECT_THAT(Record("  __builtin_trap();\n").status().message(), HasSubstr("signal"));
  EXPECT_THAT(Record("  *(int *)0 = 1;\n").status().message(), HasSubstr("signal"));
  EXPECT_THAT(Record("  __builtin_exit(0);\n").status().message(), HasSubstr("did not come to its end"));
  EXPECT_THAT(Record("  this is no C;\n").status().message(), HasSubstr("error"));
  program_.facts[0].function = "other";
  EXPECT_TRUE(absl::IsInvalidArgument(Record("").status()));
}

class FakeTarget : public InspectionTarget {
 public:
  explicit FakeTarget(absl::StatusOr<CompiledKernels> compiled) : compiled_(std::move(compiled)) {}
  absl::StatusOr<CompiledKernels> Compile(const v1::Configuration&, const TaskControl&) override {
    return compiled_;
  }

 private:
  const absl::StatusOr<CompiledKernels> compiled_;
};

v1::Inspection Inspect(absl::StatusOr<CompiledKernels> compiled) {
  v1::StudySetup setup;
  setup.mutable_device()->mutable_cuda()->set_compute_capability_major(9);
  return Inspector(setup, std::make_unique<FakeTarget>(std::move(compiled))).Inspect({}, {});
}

TEST(InspectorTest, TellsTheMetricsOfKernels) {
  CompiledKernels kernels;
  kernels.ptx = absl::StrCat(kHead, kSmall);
  kernels.cubin =
      ReadFile(std::string(TUNE_SOURCE_DIR) + "/tests/worker/ptx/kernels/resources.cubin").value_or("");
  KernelLaunches launches;
  launches.kernel = "small";
  launches.launch.grid[0] = 7;
  launches.launch.block[0] = 64;
  launches.count = 3;
  kernels.launches = {launches};
  const v1::Inspection inspection = Inspect(kernels);
  EXPECT_EQ(inspection.failure() + inspection.unknown(), "");
  ASSERT_EQ(inspection.kernels_size(), 1);
  const v1::InspectedKernel& kernel = inspection.kernels(0);
  EXPECT_EQ(kernel.function(), "small");
  EXPECT_EQ(kernel.instructions(), 1);
  EXPECT_EQ(kernel.regions(), 1);
  EXPECT_EQ(kernel.threads(), 7 * 64);
  EXPECT_EQ(kernel.launches(), 3);
  EXPECT_EQ(kernel.warps_per_block(), 2);
  EXPECT_EQ(kernel.blocks_per_multiprocessor(), 32);
  EXPECT_TRUE(kernel.sure());
}

TEST(InspectorTest, TellsWhoseFaultItIs) {
  EXPECT_EQ(Inspect(absl::AbortedError("ptxas: too much shared memory")).failure(),
            "ptxas: too much shared memory");
  EXPECT_EQ(Inspect(absl::InvalidArgumentError("no such option")).failure(), "no such option");
  EXPECT_EQ(Inspect(absl::InternalError("no room")).unknown(), "no room");
  CompiledKernels kernels;
  kernels.ptx = "no PTX";
  EXPECT_NE(Inspect(kernels).unknown(), "");
}

}  // namespace
}  // namespace tune
