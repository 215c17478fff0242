#include "worker/ppcg/ppcg_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/decision/configuration.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/ppcg/fake_ppcg.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// What PPCG would print for a product of 40 x 40 x 40: one kernel.
constexpr char kKernels[] = R"(#include "region_kernel.hu"
__global__ void kernel0(double *C, double *A, double *B, double alpha, double beta)
{
    int b0 = blockIdx.y, b1 = blockIdx.x;
    int t0 = threadIdx.y, t1 = threadIdx.x;

    C[t0] = A[t1] * B[b0] * alpha * beta;
}
)";
constexpr char kHost[] = R"(void tune_region(void)
{
/* tune: begin */
{
  dim3 k0_dimBlock(16, 32);
  dim3 k0_dimGrid(2, 2);
  kernel0 <<<k0_dimGrid, k0_dimBlock>>> (dev_C, dev_A, dev_B, alpha, beta);
  cudaCheckKernel();
}
/* tune: end */
}
)";
constexpr char kSizes[] =
    "echo '{ kernel[0] -> tile[32, 32, 32]; kernel[0] -> grid[256, 256]; kernel[0] -> block[32, 16] }'\n";

std::unique_ptr<PpcgGenerator> Make(const testing::FakePpcg& fake) {
  const v1::Scop scop = testing::GemmScop();
  const std::map<std::string, int64_t> values = {{"ni", 40}, {"nj", 40}, {"nk", 40}};
  auto generator = PpcgGenerator::Make(fake.Program(), scop, testing::MakeReference(scop, values), {});
  EXPECT_TRUE(generator.ok()) << generator.status();
  return *std::move(generator);
}

TEST(PpcgGenerator, AProgramFromPpcgsFiles) {
  const testing::FakePpcg fake(kSizes + testing::WriteOutput(kKernels, kHost));
  const auto generator = Make(fake);
  DefaultChooser chooser;
  const auto plan = generator->Walk(chooser);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->kernels.size(), 1);
  const auto program = generator->Generate(*plan);
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->facts.size(), 1);
  EXPECT_EQ(program->facts[0].function, "gemm_kernel0");
  EXPECT_EQ(program->facts[0].name, "ppcg.k0");
  EXPECT_EQ(program->facts[0].threads, (std::array<int64_t, 3>{16, 32, 1}));
  EXPECT_EQ(program->arrays.size(), 5);
  EXPECT_THAT(
      program->kernels,
      ::testing::StartsWith("extern \"C\" __global__ void __launch_bounds__(512)\n"
                            "gemm_kernel0(double *C, double *A, double *B, double alpha, double beta)\n"
                            "{\n    int b0 = blockIdx.y"));
  // alpha, beta, C, A, B
  EXPECT_THAT(
      program->launches,
      HasSubstr("void *arguments[] = {(void *)&memory[2], (void *)&memory[3], (void *)&memory[4], (void "
                "*)host[0], (void *)host[1]};\n"
                "    const struct tune_launch one = {0, {2, 2, 1}, {16, 32, 1}, arguments};"));
}

TEST(PpcgGenerator, DecisionsBecomeArguments) {
  const testing::FakePpcg fake(kSizes + testing::WriteOutput(kKernels, kHost));
  const auto generator = Make(fake);
  DefaultChooser standard;
  EXPECT_THAT(generator->Arguments(generator->Walk(standard).value()),
              ::testing::ElementsAre("--isl-schedule-algorithm=isl", "--no-isl-schedule-serialize-sccs",
                                     "--isl-schedule-maximize-band-depth", "--isl-schedule-outer-coincidence",
                                     "--sizes={ kernel[0] -> tile[32, 32, 32]; kernel[0] -> grid[256, 256]; "
                                     "kernel[0] -> block[32, 16] }",
                                     "--shared-memory", "--private-memory", "--max-shared-memory=8192",
                                     "--no-unroll-copy-shared", "--no-unroll-gpu-tile"));
  ReplayChooser replay(ParseConfiguration("ppcg.schedule = ppcg\n"
                                          "ppcg.algorithm = feautrier\n"
                                          "ppcg.serialize_sccs = on\n"
                                          "ppcg.outer_coincidence = off\n"
                                          "ppcg.k0.tile_size_1 = 64\n"
                                          "ppcg.k0.block_size_1 = 32\n"
                                          "ppcg.k0.tile_size_0 = 16\n"
                                          "ppcg.k0.block_size_0 = 8\n"
                                          "ppcg.k0.tile_size_2 = 8\n"
                                          "ppcg.k0.grid_size_0 = 64\n"
                                          "ppcg.k0.grid_size_1 = 128\n"
                                          "ppcg.shared_memory = off\n"
                                          "ppcg.private_memory = off\n"
                                          "ppcg.unroll_gpu_tile = on\n")
                           .value());
  const auto plan = generator->Walk(replay);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_TRUE(replay.CheckAllUsed().ok()) << replay.CheckAllUsed();
  EXPECT_THAT(
      generator->Arguments(*plan),
      ::testing::ElementsAre("--isl-schedule-algorithm=feautrier", "--isl-schedule-serialize-sccs",
                             "--isl-schedule-maximize-band-depth", "--no-isl-schedule-outer-coincidence",
                             "--sizes={ kernel[0] -> tile[16, 64, 8]; kernel[0] -> grid[64, 128]; "
                             "kernel[0] -> block[8, 32] }",
                             "--no-shared-memory", "--no-private-memory", "--max-shared-memory=8192",
                             "--no-unroll-copy-shared", "--unroll-gpu-tile"));
}

TEST(PpcgGenerator, PpcgIsAskedForShapesOncePerSchedule) {
  const testing::FakePpcg fake("echo run >> \"$(dirname \"$0\")/runs\"\n" + std::string(kSizes) +
                               testing::WriteOutput(kKernels, kHost));
  const auto generator = Make(fake);
  DefaultChooser chooser;
  ASSERT_TRUE(generator->Walk(chooser).ok());
  ASSERT_TRUE(generator->Walk(chooser).ok());
  EXPECT_EQ(ReadFile(fake.folder() + "/runs").value(), "run\n");
}

TEST(PpcgGenerator, TheRecordOfAllSchedulesTakesPpcgsPlace) {
  // With Feautrier's algorithm it fails.
  const testing::FakePpcg fake(
      "echo run >> \"$(dirname \"$0\")/runs\"\n"
      "case \"$*\" in *feautrier*) echo 'error: no' >&2; exit 1;; esac\n" +
      std::string(kSizes) + testing::WriteOutput(kKernels, kHost));
  const auto record = Make(fake)->RecordShapes(/*at_once=*/4);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_GT(record->size(), 12);  // PPCG's own and ours
  EXPECT_EQ(ReadFile(fake.folder() + "/runs").value().size(), record->size() * std::string("run\n").size());
  const v1::Scop scop = testing::GemmScop();
  v1::Reference reference = testing::MakeReference(scop, {{"ni", 40}, {"nj", 40}, {"nk", 40}});
  for (const v1::PpcgSchedule& schedule : *record) {
    EXPECT_EQ(schedule.failure().empty(), schedule.key().find("feautrier") == std::string::npos)
        << schedule.key();
    EXPECT_EQ(schedule.kernels_size(), schedule.failure().empty() ? 1 : 0);
    *reference.add_ppcg() = schedule;
  }
  // A walk needs no PPCG now.
  ASSERT_TRUE(WriteFile(fake.folder() + "/runs", "").ok());
  const auto generator = PpcgGenerator::Make(fake.Program(), scop, reference, {}).value();
  DefaultChooser chooser;
  EXPECT_TRUE(generator->Walk(chooser).ok());
  ReplayChooser replay(ParseConfiguration("ppcg.schedule = ppcg\nppcg.algorithm = feautrier\n"
                                          "ppcg.serialize_sccs = on\nppcg.outer_coincidence = on\n")
                           .value());
  const auto failed = generator->Walk(replay);
  EXPECT_TRUE(absl::IsInternal(failed.status())) << failed.status();
  EXPECT_THAT(std::string(failed.status().message()), HasSubstr("ppcg exited with status 1: error: no"));
  EXPECT_EQ(ReadFile(fake.folder() + "/runs").value(), "");
}

TEST(PpcgGenerator, ARecordIsCancelled) {
  const testing::FakePpcg fake("sleep 100");
  Cancellation cancellation;
  cancellation.Cancel();
  PpcgOptions options;
  options.limits.cancellation = &cancellation;
  const auto generator =
      PpcgGenerator::Make(fake.Program(), testing::GemmScop(),
                          testing::MakeReference(testing::GemmScop(), {{"ni", 4}, {"nj", 4}, {"nk", 4}}),
                          options)
          .value();
  EXPECT_TRUE(absl::IsCancelled(generator->RecordShapes(2).status()));
}

TEST(PpcgGenerator, LargeArraysTakeLongIterators) {
  const testing::FakePpcg fake("echo \"$@\" > \"$(dirname \"$0\")/arguments\"\n" + std::string(kSizes) +
                               testing::WriteOutput(kKernels, kHost));
  const std::map<std::string, int64_t> values = {{"ni", 50'000}, {"nj", 50'000}, {"nk", 40}};
  const auto generator = PpcgGenerator::Make(fake.Program(), testing::GemmScop(),
                                             testing::MakeReference(testing::GemmScop(), values), {});
  ASSERT_TRUE(generator.ok()) << generator.status();
  DefaultChooser chooser;
  ASSERT_TRUE((*generator)->Walk(chooser).ok());
  EXPECT_THAT(ReadFile(fake.folder() + "/arguments").value(), HasSubstr("--isl-ast-iterator-type=long"));
}

TEST(PpcgGenerator, TheBuiltinScheduleIsLoaded) {
  const testing::FakePpcg fake("cp region.schedule \"$(dirname \"$0\")/\"\n" + std::string(kSizes) +
                               testing::WriteOutput(kKernels, kHost));
  const auto generator = Make(fake);
  ReplayChooser replay(ParseConfiguration("ppcg.schedule = builtin\n"
                                          "schedule.algorithm = pluto\n"
                                          "schedule.serialize_sccs = off\n"
                                          "schedule.maximize_band_depth = on\n")
                           .value());
  EXPECT_FALSE(generator->Walk(replay).ok());  // the kernel's decisions are missing, after PPCG has run
  const std::string schedule = ReadFile(fake.folder() + "/region.schedule").value();
  EXPECT_THAT(schedule, HasSubstr("0 <= i0 <= 39"));
  EXPECT_THAT(schedule, HasSubstr("permutable: 1"));
  EXPECT_THAT(schedule, ::testing::Not(HasSubstr("mark")));
}

TEST(PpcgGenerator, StatementsLeftOnTheHostAreAConstraint) {
  const std::string host = absl::StrReplaceAll(kHost, {{"cudaCheckKernel();", "C[0][0] = 0;"}});
  const testing::FakePpcg fake(kSizes + testing::WriteOutput(kKernels, host));
  const auto generator = Make(fake);
  DefaultChooser chooser;
  const auto plan = generator->Walk(chooser);
  EXPECT_TRUE(absl::IsInvalidArgument(plan.status())) << plan.status();
  EXPECT_THAT(std::string(plan.status().message()),
              HasSubstr("on the host, outside of all kernels: C[0][0] = 0"));
}

TEST(PpcgGenerator, GarbageIsTheCandidatesError) {
  for (const std::string& run :
       {testing::WriteOutput("@@@", kHost), testing::WriteOutput(kKernels, "@@@"),
        "echo nonsense\n" + testing::WriteOutput(kKernels, kHost), std::string("exit 1"),
        std::string("echo '\"(' > region_host.cu; cp region_host.cu region_kernel.cu")}) {
    const testing::FakePpcg fake(run);
    const auto generator = Make(fake);
    DefaultChooser chooser;
    const auto plan = generator->Walk(chooser);
    EXPECT_TRUE(absl::IsInternal(plan.status())) << run << plan.status();
  }
}

TEST(PpcgGenerator, TooManyThreadsAreAConstraint) {
  const std::string host = absl::StrReplaceAll(kHost, {{"(16, 32)", "(64, 32)"}});
  const testing::FakePpcg fake(kSizes + testing::WriteOutput(kKernels, host));
  const auto generator = Make(fake);
  DefaultChooser chooser;
  const auto program = generator->Generate(generator->Walk(chooser).value());
  EXPECT_TRUE(absl::IsInvalidArgument(program.status())) << program.status();
  EXPECT_THAT(std::string(program.status().message()), HasSubstr("2048 threads"));
}

}  // namespace
}  // namespace tune
