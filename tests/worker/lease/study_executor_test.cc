#include "worker/lease/study_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/ppcg/fake_ppcg.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/evaluate/cuda_target.h"
#include "worker/evaluate/pipeline_evaluator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class FakeTransport : public Transport {
 public:
  absl::StatusOr<v1::SynchronizeResponse> Synchronize(const v1::SynchronizeRequest&,
                                                      absl::Duration) override {
    return absl::UnimplementedError("");
  }
  absl::StatusOr<v1::StudySetup> GetStudySetup(const std::string& study_id) override {
    ++asked;
    if (!setup.ok()) return setup.status();
    return *setup;
  }
  void Interrupt() override {}
  absl::StatusOr<v1::StudySetup> setup;
  int asked = 0;
};

class FakeEvaluator : public Evaluator {
 public:
  v1::Evaluation Evaluate(const v1::EvaluateTask& task, const TaskControl&) override {
    v1::Evaluation evaluation;
    evaluation.set_outcome(v1::CORRECT);
    return evaluation;
  }
  v1::Confirmation Confirm(const v1::ConfirmTask&, const TaskControl&) override {
    v1::Confirmation confirmation;
    confirmation.set_worker("w");
    return confirmation;
  }
};

class StudyExecutorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    auto compiler = HostCompiler::Make(folder_->path() + "/binaries");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
    transport_.setup = ScaleSetup();
    MakeExecutor();
    reference_lease_.mutable_reference();
    evaluate_lease_.mutable_evaluate()->set_candidate_index(3);
    confirm_lease_.mutable_confirm();
    for (v1::Lease* lease : {&reference_lease_, &evaluate_lease_, &confirm_lease_}) lease->set_study_id("s1");
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  // As after a restart of the worker.
  void MakeExecutor() {
    executor_ = std::make_unique<StudyExecutor>(
        StudyExecutorOptions{"w", folder_->path()}, &transport_, compiler_.get(), nullptr,
        [this](const v1::StudySetup&,
               const ReferenceData& data) -> absl::StatusOr<std::unique_ptr<Evaluator>> {
          ++evaluators_;
          EXPECT_TRUE(std::filesystem::exists(data.folder + "/in/A.bin"));
          return std::make_unique<FakeEvaluator>();
        });
  }
  v1::LeaseResult Execute(const v1::Lease& lease) {
    const auto result = executor_->Execute(lease, {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : v1::LeaseResult();
  }
  // The reference lease, and a server that has stored its result.
  void RunReferenceLease() {
    const v1::LeaseResult result = Execute(reference_lease_);
    ASSERT_EQ(result.reference().failure(), "");
    *transport_.setup->mutable_reference() = result.reference().reference();
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  FakeTransport transport_;
  std::unique_ptr<StudyExecutor> executor_;
  v1::Lease reference_lease_, evaluate_lease_, confirm_lease_;
  int evaluators_ = 0;
};

TEST_F(StudyExecutorTest, InspectsWithoutTheReferencesData) {
  transport_.setup->mutable_reference()->set_sequential_seconds(1);
  class Target : public InspectionTarget {
    absl::StatusOr<CompiledKernels> Compile(const v1::Configuration& configuration,
                                            const TaskControl&) override {
      return absl::AbortedError(absl::StrCat("no ", configuration.decisions(0).option()));
    }
  };
  StudyExecutorOptions options{"w", folder_->path()};
  int made = 0;
  options.make_inspector = [&](const v1::StudySetup& setup) {
    ++made;
    return std::make_unique<Inspector>(setup, std::make_unique<Target>());
  };
  StudyExecutor executor(options, &transport_, compiler_.get(), nullptr, nullptr);
  v1::Lease lease;
  lease.set_study_id("s1");
  lease.mutable_inspect()->mutable_configuration()->add_decisions()->set_option("tile");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(executor.Execute(lease, {})->inspect().failure(), "no tile");
  EXPECT_EQ(made, 1);
  EXPECT_NE(executor_->Execute(lease, {})->inspect().unknown(), "") << "a worker that inspects nothing";
}

TEST_F(StudyExecutorTest, ReferenceThenEvaluations) {
  RunReferenceLease();
  for (int i = 0; i < 3; ++i) {
    const v1::LeaseResult result = Execute(evaluate_lease_);
    EXPECT_EQ(result.evaluate().candidate_index(), 3);
    EXPECT_EQ(result.evaluate().evaluation().outcome(), v1::CORRECT);
  }
  EXPECT_EQ(Execute(confirm_lease_).confirm().worker(), "w");
  EXPECT_EQ(evaluators_, 1);
  EXPECT_EQ(transport_.asked, 2);  // without the reference, and with it
}

TEST_F(StudyExecutorTest, ReferenceDataOutlivesTheWorker) {
  RunReferenceLease();
  MakeExecutor();
  std::vector<std::string> stages;
  TaskControl control;
  control.stage = [&](const std::string& stage) { stages.push_back(stage); };
  ASSERT_TRUE(executor_->Execute(evaluate_lease_, control).ok());
  EXPECT_THAT(stages, ::testing::ElementsAre("walk"));
}

TEST_F(StudyExecutorTest, LostReferenceDataIsMadeAgain) {
  RunReferenceLease();
  std::filesystem::remove_all(folder_->path() + "/references");
  MakeExecutor();
  EXPECT_EQ(Execute(evaluate_lease_).evaluate().evaluation().outcome(), v1::CORRECT);
}

TEST_F(StudyExecutorTest, ProgramWithOtherDataInEveryRunFailsTheStudy) {
  RunReferenceLease();
  transport_.setup->mutable_reference()->set_input_fingerprint("of another machine's run");
  MakeExecutor();
  const v1::LeaseResult result = Execute(evaluate_lease_);
  ASSERT_TRUE(result.has_reference());
  EXPECT_THAT(result.reference().failure(),
              HasSubstr("the program's inputs differ between two runs (worker w)"));
}

TEST_F(StudyExecutorTest, FailureOfTheProgramIsAResult) {
  transport_.setup = ScaleSetup(absl::StrReplaceAll(kScaleProgram, {{"return 0;", "return 3;"}}));
  const v1::LeaseResult result = Execute(reference_lease_);
  EXPECT_THAT(result.reference().failure(), HasSubstr("the program exited with status 3"));
  EXPECT_FALSE(result.reference().has_reference());
}

TEST_F(StudyExecutorTest, StudyThatIsGone) {
  transport_.setup = absl::NotFoundError("no such study");
  EXPECT_EQ(executor_->Execute(reference_lease_, {}).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(StudyExecutorTest, CancelledReference) {
  Cancellation cancellation;
  cancellation.Cancel();
  TaskControl control;
  control.cancellation = &cancellation;
  EXPECT_EQ(executor_->Execute(reference_lease_, control).status().code(), absl::StatusCode::kCancelled);
}

// An evaluator that counts who is in it.
class CrowdedEvaluator : public Evaluator {
 public:
  explicit CrowdedEvaluator(int wanted) : wanted_(wanted) {}
  v1::Evaluation Evaluate(const v1::EvaluateTask&, const TaskControl&) override {
    absl::MutexLock lock(&mutex_);
    most_ = std::max(most_, ++inside_);
    const auto crowded = [this] { return most_ >= wanted_; };
    mutex_.Await(absl::Condition(&crowded));
    --inside_;
    v1::Evaluation evaluation;
    evaluation.set_outcome(v1::CORRECT);
    return evaluation;
  }
  v1::Confirmation Confirm(const v1::ConfirmTask&, const TaskControl&) override { return {}; }
  int most() {
    absl::MutexLock lock(&mutex_);
    return most_;
  }

 private:
  const int wanted_;
  absl::Mutex mutex_;
  int inside_ = 0, most_ = 0;
};

class ParallelExecutorTest : public StudyExecutorTest {
 protected:
  // The most evaluations that were under way at once, of three leases of a study of that target.
  int MostAtOnce(v1::Target target, int wanted) {
    RunReferenceLease();
    transport_.setup->set_target(target);
    CrowdedEvaluator* evaluator = nullptr;
    StudyExecutor executor(StudyExecutorOptions{"w", folder_->path(), 3}, &transport_, compiler_.get(),
                           nullptr, [&](const v1::StudySetup&, const ReferenceData&) {
                             auto made = std::make_unique<CrowdedEvaluator>(wanted);
                             evaluator = made.get();
                             return made;
                           });
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] { EXPECT_TRUE(executor.Execute(evaluate_lease_, {}).ok()); });
    }
    for (std::thread& thread : threads) thread.join();
    return evaluator->most();
  }
};

TEST_F(ParallelExecutorTest, CandidatesForAGpuAreBuiltAtOnce) { EXPECT_EQ(MostAtOnce(v1::CUDA, 3), 3); }

TEST_F(ParallelExecutorTest, WhatTheHostMeasuresHasItAlone) { EXPECT_EQ(MostAtOnce(v1::CPU, 1), 1); }

// An evaluator that runs the original program of another lease meanwhile.
class InterruptedEvaluator : public Evaluator {
 public:
  explicit InterruptedEvaluator(std::function<void()> meanwhile) : meanwhile_(std::move(meanwhile)) {}
  v1::Evaluation Evaluate(const v1::EvaluateTask&, const TaskControl&) override {
    meanwhile_();
    return {};
  }
  v1::Confirmation Confirm(const v1::ConfirmTask&, const TaskControl&) override {
    v1::Confirmation confirmation;
    confirmation.mutable_check()->set_index(1);
    meanwhile_();
    return confirmation;
  }

 private:
  const std::function<void()> meanwhile_;
};

TEST_F(StudyExecutorTest, OriginalsOfStudiesForAGpuRunBesideOthersAndSaySo) {
  RunReferenceLease();
  transport_.setup->set_target(v1::CUDA);
  v1::ReferenceResult beside;
  std::optional<StudyExecutor> executor;
  const auto run_original = [&] { beside = executor->Execute(reference_lease_, {})->reference(); };
  executor.emplace(StudyExecutorOptions{"w", folder_->path(), 2}, &transport_, compiler_.get(), nullptr,
                   [&](const v1::StudySetup&, const ReferenceData&) {
                     return std::make_unique<InterruptedEvaluator>(run_original);
                   });
  ASSERT_TRUE(executor->Execute(evaluate_lease_, {}).ok());
  EXPECT_TRUE(beside.has_reference());
  EXPECT_TRUE(beside.beside_others());
  EXPECT_TRUE(executor->Execute(confirm_lease_, {})->confirm().check().beside_others());
}

// A kernel that does nothing, another one for each configuration.
class IdleGenerator : public CodeGenerator {
 public:
  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override {
    GeneratedProgram program;
    program.fingerprint = configuration.SerializeAsString();
    program.cuda.kernels = "// " + program.fingerprint;
    program.cuda.launches = "void tune_launch_sequence(void) {}\n";
    return program;
  }
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration&, const v1::Diagnosis&) override {
    return std::vector<v1::Finding>();
  }
};

// A device that ends its first jobs at once and holds the later ones until so many devices hold one.
class MeetingDevice : public CudaRunner {
 public:
  struct Meeting {
    absl::Mutex mutex;
    int at_once = 0, wanted = 0, inside = 0, most = 0;
  };
  explicit MeetingDevice(Meeting* meeting) : meeting_(meeting) {}
  absl::StatusOr<RunOutcome> Run(const CudaRunRequest&) override {
    absl::MutexLock lock(&meeting_->mutex);
    if (--meeting_->at_once < 0) {
      meeting_->most = std::max(meeting_->most, ++meeting_->inside);
      const auto met = [this] { return meeting_->most >= meeting_->wanted; };
      // Never so long but when they do not meet.
      meeting_->mutex.AwaitWithTimeout(absl::Condition(&met), absl::Seconds(20));
      --meeting_->inside;
    }
    RunOutcome outcome;
    v1::RunnerVerdict& verdict = outcome.verdicts.emplace_back();
    verdict.set_outcome(v1::CORRECT);
    for (int i = 0; i < 6; ++i) verdict.add_samples(1e-3);
    return outcome;
  }

 private:
  Meeting* const meeting_;
};

TEST_F(StudyExecutorTest, DevicesOfOneModelMeasureCandidatesOfOneStudyAtOnce) {
  constexpr int kDevices = 2;
  RunReferenceLease();
  transport_.setup->set_target(v1::CUDA);
  MeetingDevice::Meeting meeting;
  meeting.at_once = 1;  // the default, for which the others wait
  meeting.wanted = kDevices;
  std::vector<DevicePool::Member> members;
  for (int i = 0; i < kDevices; ++i) {
    members.push_back({absl::StrCat("cuda:", i), i, std::make_unique<MeetingDevice>(&meeting)});
  }
  DevicePool pool(std::move(members));
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/scripted", 1);  // its compiler copies the text
  const auto cubin = CubinCompiler::MakeNvrtc("NVRTC 13.0", folder_->path() + "/cubins");
  ASSERT_TRUE(cubin.ok()) << cubin.status();
  BuildSlots slots(1);  // who runs holds none
  StudyExecutor executor(StudyExecutorOptions{"w", folder_->path(), 1}, &transport_, compiler_.get(), nullptr,
                         [&](const v1::StudySetup& setup, const ReferenceData& data) {
                           auto target = std::make_unique<CudaTarget>(
                               setup, data, [] { return std::make_unique<IdleGenerator>(); }, 1,
                               CudaTools{cubin->get(), compiler_.get(), &pool, &slots});
                           return std::make_unique<PipelineEvaluator>(setup, std::move(target), "w");
                         });
  std::vector<std::string> devices(1 + kDevices);
  const auto evaluate = [&](int candidate) {
    v1::Lease lease = evaluate_lease_;
    lease.mutable_evaluate()->set_candidate_index(candidate);
    v1::Decision* decision = lease.mutable_evaluate()->mutable_configuration()->add_decisions();
    decision->set_key("k0.block_size_x");
    decision->set_option(absl::StrCat(candidate));
    const auto result = executor.Execute(lease, {});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->evaluate().evaluation().outcome(), v1::CORRECT)
        << result->evaluate().evaluation().message();
    devices[candidate] = result->evaluate().evaluation().device();
  };
  evaluate(0);
  std::vector<std::thread> threads;
  for (int i = 1; i <= kDevices; ++i) threads.emplace_back(evaluate, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(meeting.most, kDevices);
  EXPECT_NE(devices[1], devices[2]);
}

class PpcgStudyTest : public StudyExecutorTest {
 protected:
  void SetUp() override {
    StudyExecutorTest::SetUp();
    transport_.setup->set_target(v1::CUDA);
    transport_.setup->set_generator("ppcg");
  }
  v1::ReferenceResult RunReference(const PpcgProgram* ppcg) {
    StudyExecutor executor(StudyExecutorOptions{"w", folder_->path(), 3, ppcg}, &transport_, compiler_.get(),
                           nullptr, nullptr);
    const auto result = executor.Execute(reference_lease_, {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? result->reference() : v1::ReferenceResult();
  }
};

TEST_F(PpcgStudyTest, TheReferenceRunRecordsWhatPpcgMakes) {
  // Of what it computes itself alone.
  const testing::FakePpcg fake(
      "case \"$*\" in *load-schedule*) echo 'error: no' >&2; exit 1;; esac\n"
      "echo '{ kernel[0] -> tile[32]; kernel[0] -> grid[32768]; kernel[0] -> block[32] }'\n" +
      testing::WriteOutput("__global__ void kernel0(double *A, double *B, double s) { }",
                           "/* tune: begin */\n"
                           "{ dim3 k0_dimBlock(32); dim3 k0_dimGrid(4);\n"
                           "kernel0 <<<k0_dimGrid, k0_dimBlock>>> (dev_A, dev_B, s); }\n"
                           "/* tune: end */"));
  const PpcgProgram program = fake.Program();
  const v1::ReferenceResult result = RunReference(&program);
  EXPECT_EQ(result.failure(), "");
  EXPECT_EQ(result.reference().parameters(0).value(), 100);
  int kernels = 0, failures = 0;
  for (const v1::PpcgSchedule& schedule : result.reference().ppcg()) {
    kernels += schedule.kernels_size();
    failures += schedule.failure() == "ppcg exited with status 1: error: no";
  }
  EXPECT_EQ(kernels, 12);
  EXPECT_GE(failures, 1);
  EXPECT_EQ(kernels + failures, result.reference().ppcg_size());
  // The reference that is kept is any study's.
  transport_.setup->clear_generator();
  EXPECT_TRUE(RunReference(nullptr).reference().ppcg().empty());
}

TEST_F(PpcgStudyTest, WherePpcgMakesNothingTheStudyFails) {
  const testing::FakePpcg fake("echo 'error: unsupported' >&2; exit 1");
  const PpcgProgram program = fake.Program();
  EXPECT_EQ(
      RunReference(&program).failure(),
      "ppcg makes nothing of the region with any schedule; tune it with --generator builtin. With its own "
      "schedule: ppcg exited with status 1: error: unsupported");
}

// Which is known before the program is built and run.
TEST_F(PpcgStudyTest, WithoutPpcgTheStudyIsNotForThisWorker) {
  transport_.setup->mutable_program()->mutable_files(0)->set_content("no C");
  EXPECT_EQ(RunReference(nullptr).failure(), "worker w has no ppcg, which is the study's generator");
}

}  // namespace
}  // namespace tune
