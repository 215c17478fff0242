#include "worker/evaluate/cuda_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/worker/evaluate/recording_runner.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/evaluate/pipeline_evaluator.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// One kernel over A and B, with s by value and an array of the candidate's own.
GeneratedProgram ScaleOnGpu() {
  GeneratedProgram program;
  program.cuda.kernels = "extern \"C\" __global__ void scale() {}\n";
  program.cuda.launches = "void tune_launch_sequence(void) {}\n";
  program.cuda.facts = {{"scale", "k[S0]", {32, 1, 1}, 128, true, 50}};
  for (int i = 0; i < 4; ++i) {
    DeviceArray array;
    array.index = i;
    array.type = v1::ELEMENT_TYPE_DOUBLE;
    array.by_value = i == 0;
    if (i > 0) array.extents = {100 * i};
    array.texture = i == 2;
    program.cuda.arrays.push_back(array);
  }
  return program;
}

// Tells how many of its kind are at work, and waits until `together` are.
class MeetingGenerator : public CodeGenerator {
 public:
  struct Meeting {
    absl::Mutex mutex;
    int together = 1, inside = 0, most = 0, made = 0;
  };
  explicit MeetingGenerator(Meeting* meeting) : meeting_(meeting) {}
  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration&) override {
    absl::MutexLock lock(&meeting_->mutex);
    meeting_->most = std::max(meeting_->most, ++meeting_->inside);
    const auto met = [this] { return meeting_->most >= meeting_->together; };
    meeting_->mutex.Await(absl::Condition(&met));
    --meeting_->inside;
    return GeneratedProgram();
  }
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration&, const v1::Diagnosis&) override {
    return std::vector<v1::Finding>();
  }

 private:
  Meeting* const meeting_;
};

class CudaTargetTest : public ::testing::Test {
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
    setup_ = ScaleSetup();
    setup_.set_target(v1::CUDA);
    setup_.mutable_device()->mutable_cuda()->set_compute_capability_major(9);
    reference_.folder = "/reference";
    for (const char* name : {"s", "A", "B"}) {
      v1::ArrayExtents* array = reference_.reference.add_arrays();
      array->set_name(name);
      if (*name != 's') array->add_extents(100);
    }
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  std::unique_ptr<CudaTarget> Target(int generators) {
    return std::make_unique<CudaTarget>(
        setup_, reference_,
        [this]() -> absl::StatusOr<std::unique_ptr<CodeGenerator>> {
          absl::MutexLock lock(&meeting_.mutex);
          ++meeting_.made;
          return std::make_unique<MeetingGenerator>(&meeting_);
        },
        generators, CudaTools{cubin_.get(), host_.get(), devices_.get()});
  }
  // The job that is made of a run, when the best candidate takes so long.
  v1::CudaJob Job(double best_seconds) {
    const auto target = Target(1);
    BestTime best;
    best.Offer(best_seconds);
    RunLimits limits;
    limits.best = &best;
    EXPECT_TRUE(target->Run({BuiltCandidate()}, limits).ok());
    return requests_.back().job;
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> host_;
  std::unique_ptr<CubinCompiler> cubin_;
  std::unique_ptr<DevicePool> devices_;
  std::vector<CudaRunRequest> requests_;
  v1::StudySetup setup_;
  ReferenceData reference_;
  MeetingGenerator::Meeting meeting_;
};

TEST_F(CudaTargetTest, BuildsKernelsAndPlan) {
  const auto target = Target(1);
  const absl::StatusOr<BuildResult> built = target->Build(ScaleOnGpu(), {});
  ASSERT_TRUE(built.ok()) << built.status();
  ASSERT_TRUE(built->compiled.ok) << built->compiled.message;
  const v1::CudaCandidate& candidate = built->candidate.cuda;
  EXPECT_EQ(*ReadFile(candidate.cubin()), ScaleOnGpu().cuda.kernels);
  EXPECT_TRUE(ReadFile(candidate.launch_sequence()).ok());
  std::vector<int64_t> bytes;
  for (const v1::CudaArray& array : candidate.arrays()) bytes.push_back(array.bytes());
  EXPECT_THAT(bytes, ElementsAre(0, 800, 1600, 2400));
  ASSERT_EQ(candidate.textures_size(), 1);
  EXPECT_EQ(candidate.textures(0).array(), 2);
  EXPECT_EQ(candidate.textures(0).element_type(), v1::ELEMENT_TYPE_DOUBLE);
  ASSERT_EQ(candidate.kernels_size(), 1);
  EXPECT_EQ(candidate.kernels(0).function(), "scale");
  EXPECT_EQ(candidate.kernels(0).dynamic_shared_bytes(), 128);
  EXPECT_TRUE(candidate.kernels(0).cooperative());
  EXPECT_EQ(candidate.kernels(0).shared_carveout(), 50);
  EXPECT_EQ(built->compiled.command,
            "tune-cuda-runner --compile candidate.cu --arch sm_90 --output candidate.cubin");
  EXPECT_TRUE(target->Build(ScaleOnGpu(), {})->compiled.cached);
}

TEST_F(CudaTargetTest, ExactStudiesRoundProducts) {
  const auto rounding = Target(1);
  setup_.set_rounding(v1::ROUNDING_EXACT);
  const auto exact = Target(1);
  const absl::StatusOr<BuildResult> built = exact->Build(ScaleOnGpu(), {});
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->compiled.command,
            "tune-cuda-runner --compile candidate.cu --arch sm_90 --output candidate.cubin -- -fmad=false");
  EXPECT_NE(exact->BuildKey(), rounding->BuildKey());
  EXPECT_FALSE(rounding->Build(ScaleOnGpu(), {})->compiled.cached);
}

TEST_F(CudaTargetTest, LaunchesGoAsAGraphWhereTheProgramSaysSo) {
  GeneratedProgram program = ScaleOnGpu();
  EXPECT_FALSE(Target(1)->Build(program, {})->candidate.cuda.graph());
  program.cuda.graph = true;
  EXPECT_TRUE(Target(1)->Build(program, {})->candidate.cuda.graph());
}

TEST_F(CudaTargetTest, TellsWhatTheKernelsAreMadeOf) {
  // The compiler copies the text.
  GeneratedProgram program;
  program.cuda.kernels = ".entry scale() {\n  fma.rn.f64 %fd1, %fd2, %fd3, %fd1;\n  ret;\n}\n";
  const auto target = Target(1);
  v1::Diagnosis diagnosis;
  diagnosis.add_stages("instructions");
  const auto findings = target->Diagnose({}, program, diagnosis);
  ASSERT_TRUE(findings.ok()) << findings.status();
  ASSERT_EQ(findings->size(), 1u);
  EXPECT_EQ((*findings)[0].title(), "instructions of scale (PTX)");
  EXPECT_EQ((*findings)[0].text(), "fp64 1, branches 1\n");
}

TEST_F(CudaTargetTest, APlanThatDoesNotCompileIsTheCandidatesFault) {
  GeneratedProgram program = ScaleOnGpu();
  program.cuda.launches = "void tune_launch_sequence(";
  const absl::StatusOr<BuildResult> built = Target(1)->Build(program, {});
  ASSERT_TRUE(built.ok());
  EXPECT_FALSE(built->compiled.ok);
  EXPECT_NE(built->compiled.message, "");
}

// A toolkit whose nvcc takes C, and whose runtime library does nothing.
class ToyToolkit {
 public:
  ToyToolkit() : folder_(*TemporaryFolder::Make()), path_(std::getenv("PATH")) {
    const std::string nvcc = folder_.path() + "/bin/nvcc", stub = folder_.path() + "/stub.c";
    std::filesystem::create_directories(folder_.path() + "/bin");
    std::filesystem::create_directories(folder_.path() + "/lib64");
    EXPECT_TRUE(WriteFile(nvcc, "#!/bin/sh\nexec cc -c -x c region.cu -o region.o\n").ok());
    std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
    EXPECT_TRUE(WriteFile(stub,
                          "int device = -1; int cudaSetDevice(int d) { device = d; return 0; }\n"
                          "int cudaFree(void *p) { return 0; }\n")
                    .ok());
    const auto built = RunSubprocess({"sh", "-c",
                                      absl::StrCat("cd ", folder_.path(),
                                                   " && cc -c stub.c && ar rcs "
                                                   "lib64/libcudart_static.a stub.o")});
    EXPECT_TRUE(built.ok() && built->ok());
    setenv("PATH", absl::StrCat(folder_.path(), "/bin:", path_).c_str(), 1);
  }
  ~ToyToolkit() { setenv("PATH", path_.c_str(), 1); }

 private:
  const TemporaryFolder folder_;
  const std::string path_;
};

TEST_F(CudaTargetTest, TheTunedProgramIsBuiltAndRun) {
  const ToyToolkit toolkit;
  std::string log;
  auto reference =
      RunReference(setup_, {host_.get(), nullptr, nullptr}, folder_->path() + "/reference", &log);
  ASSERT_TRUE(reference.ok()) << reference.status();
  reference_ = *reference;
  GeneratedProgram program;
  program.code = "{ extern void region(int, double, const double *, double *); region(n, s, A, B); }";
  program.device_file =
      "extern int device;\nvoid region(int n, double s, const double *A, double *B) {\n"
      "  for (int i = 0; i < n; ++i) B[i] = device == 0 ? s * A[i] : -1;\n}\n";
  const v1::ProgramCheck check = Target(1)->CheckProgram(program, nullptr);
  EXPECT_EQ(check.outcome(), v1::CORRECT) << check.message();
  EXPECT_GT(check.seconds(), 0);
  program.device_file = "no C\n";
  EXPECT_EQ(Target(1)->CheckProgram(program, nullptr).outcome(), v1::COMPILE);
}

TEST_F(CudaTargetTest, JobHasTheReferencesArrays) {
  const v1::CudaJob job = Job(0);
  ASSERT_EQ(job.arrays_size(), 3);
  EXPECT_EQ(job.arrays(1).input_file(), "/reference/in/A.bin");
  EXPECT_EQ(job.arrays(2).expected_file(), "/reference/out/B.bin");
  EXPECT_NE(job.arrays_key(), "");
  EXPECT_EQ(job.arrays_key(), Job(1).arrays_key());
  reference_.reference.set_input_fingerprint("other inputs");
  EXPECT_NE(job.arrays_key(), Job(0).arrays_key());
}

// What is given up costs about a second, whether the region is short or long.
TEST_F(CudaTargetTest, LimitsFollowTheBest) {
  const double evaluation = setup_.limits().evaluation_seconds();
  EXPECT_EQ(Job(0).run_seconds(), evaluation / 2);
  EXPECT_EQ(Job(1e-5).sampling().hopeless_factor(), 10);
  EXPECT_DOUBLE_EQ(Job(1e-5).run_seconds(), 0.1);
  EXPECT_DOUBLE_EQ(Job(0.25).sampling().hopeless_factor(), 4);
  EXPECT_DOUBLE_EQ(Job(0.25).run_seconds(), 1);
  EXPECT_EQ(Job(3).sampling().hopeless_factor(), 2);
  EXPECT_EQ(Job(1000).run_seconds(), evaluation / 2);
}

TEST_F(CudaTargetTest, CandidatesAreGeneratedInParallelByAFewGenerators) {
  const auto target = Target(3);
  meeting_.together = 3;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_TRUE(target->Generate({}).ok()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(meeting_.made, 3);
  EXPECT_EQ(meeting_.most, 3);
}

// Nobody else makes candidates while the best ones are confirmed.
TEST_F(CudaTargetTest, CandidatesToConfirmAreMadeInParallel) {
  meeting_.together = 3;
  PipelineEvaluator evaluator(setup_, Target(3), "w");
  v1::ConfirmTask task;
  for (int i = 0; i < 3; ++i) task.add_candidates()->set_index(i);
  EXPECT_EQ(evaluator.Confirm(task, {}).candidates_size(), 3);
  EXPECT_EQ(meeting_.most, 3);
}

TEST_F(CudaTargetTest, TheBuildDependsOnCompilerAndArchitecture) {
  const std::string key = Target(1)->BuildKey();
  setup_.mutable_device()->mutable_cuda()->set_compute_capability_major(8);
  EXPECT_NE(Target(1)->BuildKey(), key);
}

}  // namespace
}  // namespace tune
