#include "worker/evaluate/pipeline_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "absl/synchronization/notification.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/evaluate/cpu_target.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct FakeGenerator : CodeGenerator {
  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration&) override { return result; }
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration&, const v1::Diagnosis&) override {
    return findings;
  }
  absl::StatusOr<GeneratedProgram> result = GeneratedProgram{"{ }", "f1", "", {}};
  absl::StatusOr<std::vector<v1::Finding>> findings = std::vector<v1::Finding>();
};

struct FakeCompiler : Compiler {
  absl::StatusOr<CompileResult> CompileCandidate(const std::string&, const v1::Program&,
                                                 const CompileLimits&) override {
    ++calls;
    return result;
  }
  absl::StatusOr<CompileResult> CompileProgram(const std::string&, const std::vector<std::string>&,
                                               const v1::Program&, const std::string&,
                                               const std::vector<std::string>&,
                                               const CompileLimits&) override {
    CompileResult original;
    original.message = "no program here";
    return original;
  }
  const std::string& version() const override { return version_text; }
  std::string CandidateKey(const v1::Program&) const override { return key; }
  FakeCompiler() {
    result.ok = true;
    result.binary = "/x.so";
    result.command = "cc x";
  }
  CompileResult result;
  std::string version_text = "cc", key = "k";
  int calls = 0;
};

struct FakeRunner : Runner {
  absl::StatusOr<RunOutcome> Run(const RunRequest& request) override {
    requests.push_back(request);
    return result;
  }
  absl::StatusOr<RunOutcome> result = absl::InternalError("not set");
  std::vector<RunRequest> requests;
};

v1::RunnerVerdict Verdict(v1::Outcome outcome, const std::vector<double>& samples = {}) {
  v1::RunnerVerdict verdict;
  verdict.set_outcome(outcome);
  if (outcome != v1::CORRECT) verdict.set_message("reason");
  verdict.mutable_samples()->Add(samples.begin(), samples.end());
  return verdict;
}

RunOutcome Outcome(std::vector<v1::RunnerVerdict> verdicts, std::string log) {
  RunOutcome outcome;
  outcome.verdicts = std::move(verdicts);
  outcome.log = std::move(log);
  return outcome;
}

class PipelineEvaluatorTest : public ::testing::Test {
 protected:
  PipelineEvaluatorTest() {
    auto generator = std::make_unique<FakeGenerator>();
    generator_ = generator.get();
    ReferenceData reference;
    reference.folder = "/reference";
    v1::ParameterValue* n = reference.reference.add_parameters();
    n->set_name("n");
    n->set_value(100);
    for (const char* name : {"s", "A", "B"}) {
      v1::ArrayExtents* array = reference.reference.add_arrays();
      array->set_name(name);
      if (*name != 's') array->add_extents(100);
    }
    evaluator_ = std::make_unique<PipelineEvaluator>(
        ScaleSetup(),
        std::make_unique<CpuTarget>(ScaleSetup(), reference, std::move(generator), &compiler_, &runner_, 4),
        "w");
    runner_.result = Outcome({Verdict(v1::CORRECT, {3, 1, 2})}, "log");
    control_.stage = [this](const std::string& stage) { stages_.push_back(stage); };
  }
  v1::Evaluation Evaluate() { return evaluator_->Evaluate(task_, control_); }

  FakeGenerator* generator_;
  FakeCompiler compiler_;
  FakeRunner runner_;
  std::unique_ptr<PipelineEvaluator> evaluator_;
  v1::EvaluateTask task_;
  TaskControl control_;
  std::vector<std::string> stages_;
};

TEST_F(PipelineEvaluatorTest, Correct) {
  task_.set_best_seconds(0.5);
  const v1::Evaluation evaluation = Evaluate();
  EXPECT_EQ(evaluation.outcome(), v1::CORRECT);
  EXPECT_EQ(evaluation.measurement().median(), 2);
  EXPECT_THAT(evaluation.measurement().samples(), ElementsAre(3, 1, 2));
  EXPECT_EQ(evaluation.code(), "{ }");
  EXPECT_NE(evaluation.code_fingerprint(), "");
  EXPECT_EQ(evaluation.worker(), "w");
  EXPECT_EQ(evaluation.compile_command(), "cc x");
  EXPECT_THAT(stages_, ElementsAre("generate", "compile", "run"));
  EXPECT_THAT(evaluation.stages(), SizeIs(3));

  const RunRequest& request = runner_.requests.at(0);
  EXPECT_EQ(request.wall_seconds, 20);
  EXPECT_EQ(request.job.cpu_seconds(), 80);
  EXPECT_EQ(request.threads, 4);
  EXPECT_EQ(request.job.sampling().best_seconds(), 0.5);
  EXPECT_EQ(request.job.double_relative(), 1e-8);
  ASSERT_EQ(request.job.arrays_size(), 3);
  EXPECT_EQ(request.job.arrays(2).expected_file(), "/reference/out/B.bin");
}

TEST_F(PipelineEvaluatorTest, TimesMeasuredHereCountToo) {
  task_.set_best_seconds(5);
  Evaluate();
  Evaluate();
  ASSERT_THAT(runner_.requests, SizeIs(2));
  EXPECT_EQ(runner_.requests[0].job.sampling().best_seconds(), 5);
  EXPECT_EQ(runner_.requests[1].job.sampling().best_seconds(), 2);
}

// It says what the others may cost.
TEST_F(PipelineEvaluatorTest, OthersWaitForTheDefault) {
  absl::Notification default_is_built, other_is_built;
  control_.stage = [&](const std::string& stage) {
    if (stage != "run") return;
    default_is_built.Notify();
    other_is_built.WaitForNotification();
  };
  std::thread evaluates_default([this] { Evaluate(); });
  default_is_built.WaitForNotification();
  v1::EvaluateTask other;
  other.set_candidate_index(3);
  TaskControl control;
  control.stage = [&](const std::string& stage) {
    if (stage == "run") other_is_built.Notify();
  };
  EXPECT_EQ(evaluator_->Evaluate(other, control).outcome(), v1::CORRECT);
  evaluates_default.join();
  ASSERT_THAT(runner_.requests, SizeIs(2));
  EXPECT_EQ(runner_.requests[1].job.sampling().best_seconds(), 2);
}

TEST_F(PipelineEvaluatorTest, WhoIsCancelledDoesNotWaitForTheDefault) {
  BestTime best;
  const BestTime::Awaited awaited(&best);
  Cancellation cancellation;
  cancellation.Cancel();
  EXPECT_GE(best.Wait(&cancellation), 0);
}

TEST_F(PipelineEvaluatorTest, KnownCodeIsNotRunAgain) {
  const std::string fingerprint = Evaluate().code_fingerprint();
  task_.add_known_codes(FirstBits(fingerprint));
  task_.add_known_candidates(0);
  task_.set_candidate_index(5);
  const v1::Evaluation evaluation = Evaluate();
  EXPECT_EQ(evaluation.duplicate_of_plus_one(), 1);
  EXPECT_EQ(compiler_.calls, 1);
  EXPECT_THAT(runner_.requests, SizeIs(1));
  // The same candidate, asked for again, is run.
  task_.set_candidate_index(0);
  EXPECT_EQ(Evaluate().duplicate_of_plus_one(), 0);
  EXPECT_EQ(compiler_.calls, 2);
  // Other flags or another compiler make other code of the same text.
  compiler_.key = "other";
  EXPECT_NE(Evaluate().code_fingerprint(), fingerprint);
}

TEST_F(PipelineEvaluatorTest, OutcomeOfTheGenerator) {
  generator_->result = absl::InvalidArgumentError("k0.tile_size_0: 7 is not an option");
  EXPECT_EQ(Evaluate().outcome(), v1::CONSTRAINTS);
  generator_->result = absl::ResourceExhaustedError("schedule: limit");
  const v1::Evaluation evaluation = Evaluate();
  EXPECT_EQ(evaluation.outcome(), v1::COMPILE);
  EXPECT_EQ(evaluation.message(), "schedule: limit");
  EXPECT_EQ(compiler_.calls, 0);
}

TEST_F(PipelineEvaluatorTest, DiagnosesWhenAsked) {
  v1::Finding finding;
  finding.set_title("host");
  finding.set_text("domain: ...\n");
  generator_->findings = std::vector<v1::Finding>{finding};
  EXPECT_EQ(Evaluate().findings_size(), 0);
  task_.mutable_diagnosis()->add_stages("host");
  const v1::Evaluation told = Evaluate();
  EXPECT_EQ(told.outcome(), v1::CORRECT);
  ASSERT_EQ(told.findings_size(), 1);
  EXPECT_EQ(told.findings(0).text(), "domain: ...\n");
  // What is wrong is not built.
  const int built = compiler_.calls;
  generator_->findings = absl::FailedPreconditionError("wrong mapping: S1[0] runs twice");
  const v1::Evaluation wrong = Evaluate();
  EXPECT_EQ(wrong.outcome(), v1::COMPILE);
  EXPECT_EQ(wrong.message(), "wrong mapping: S1[0] runs twice");
  EXPECT_EQ(compiler_.calls, built);
}

TEST_F(PipelineEvaluatorTest, OutcomeOfTheCompiler) {
  compiler_.result.ok = false;
  compiler_.result.message = "x.c:1: error: bad\nmore";
  compiler_.result.log = std::string(100000, 'x') + "\xff end";
  const v1::Evaluation evaluation = Evaluate();
  EXPECT_EQ(evaluation.outcome(), v1::COMPILE);
  EXPECT_EQ(evaluation.message(), "x.c:1: error: bad");
  EXPECT_EQ(evaluation.log().size(), 64u << 10);
  EXPECT_THAT(evaluation.log(), HasSubstr("? end"));
  EXPECT_THAT(runner_.requests, SizeIs(0));
}

TEST_F(PipelineEvaluatorTest, OutcomeOfTheRunner) {
  for (v1::Outcome outcome : {v1::TIMEOUT, v1::RUNTIME, v1::CORRECTNESS, v1::OOM}) {
    runner_.result = Outcome({Verdict(outcome)}, "output");
    const v1::Evaluation evaluation = Evaluate();
    EXPECT_EQ(evaluation.outcome(), outcome);
    EXPECT_EQ(evaluation.message(), "reason");
    EXPECT_EQ(evaluation.log(), "output");
    EXPECT_FALSE(evaluation.has_measurement());
  }
  runner_.result = absl::InternalError("disk full");
  EXPECT_EQ(Evaluate().message(), "the worker: disk full");
}

TEST_F(PipelineEvaluatorTest, Cancelled) {
  Cancellation cancellation;
  cancellation.Cancel();
  control_.cancellation = &cancellation;
  EXPECT_EQ(Evaluate().outcome(), v1::CANCELLED);
}

TEST_F(PipelineEvaluatorTest, ConfirmRanksAndKeepsReasons) {
  runner_.result = Outcome({Verdict(v1::CORRECT, {9, 9}), Verdict(v1::CORRECT, {3, 3}), Verdict(v1::RUNTIME),
                            Verdict(v1::CORRECT, {2, 2})},
                           "");
  v1::ConfirmTask task;
  for (int index : {4, 5, 6}) task.add_candidates()->set_index(index);
  const v1::Confirmation confirmation = evaluator_->Confirm(task, control_);
  EXPECT_EQ(confirmation.sequential().median(), 9);
  ASSERT_EQ(confirmation.candidates_size(), 3);
  EXPECT_EQ(confirmation.candidates(0).index(), 6);
  EXPECT_EQ(confirmation.candidates(1).index(), 4);
  EXPECT_EQ(confirmation.candidates(2).index(), 5);
  EXPECT_EQ(confirmation.candidates(2).message(), "reason");
  EXPECT_EQ(confirmation.check().index(), 6);
  EXPECT_EQ(confirmation.check().outcome(), v1::COMPILE);  // this compiler makes no programs
  EXPECT_EQ(confirmation.equal_to_best_size(), 0);
  EXPECT_EQ(runner_.requests.at(0).wall_seconds, 80);
}

TEST_F(PipelineEvaluatorTest, ConfirmWithoutACompilerSaysWhy) {
  compiler_.result.ok = false;
  compiler_.result.message = "cc: broken";
  v1::ConfirmTask task;
  task.add_candidates()->set_index(4);
  const v1::Confirmation confirmation = evaluator_->Confirm(task, control_);
  EXPECT_EQ(confirmation.candidates(0).message(), "cc: broken");
  EXPECT_FALSE(confirmation.has_sequential());
}

// Everything real: reference run, generator, compiler, runner.
TEST(PipelineEvaluatorRealTest, DefaultCandidateIsCorrect) {
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
  auto folder = TemporaryFolder::Make();
  auto compiler = HostCompiler::Make(folder->path() + "/cache");
  ASSERT_TRUE(compiler.ok()) << compiler.status();
  auto runner = ProcessRunner::Make();
  ASSERT_TRUE(runner.ok()) << runner.status();
  const v1::StudySetup setup = ScaleSetup();
  std::string log;
  const auto reference =
      RunReference(setup, {compiler->get(), runner->get(), nullptr}, folder->path() + "/reference", &log);
  ASSERT_TRUE(reference.ok()) << reference.status();

  const std::map<std::string, int64_t> values = {{"n", 100}};
  auto space = CpuSpace::Make(WithParameterFacts(setup.scop(), values), values, {2});
  ASSERT_TRUE(space.ok()) << space.status();
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  ASSERT_TRUE((*space)->Walk(recording).ok());

  auto generator = MakeOpenMpGenerator(setup.scop(), reference->reference, 2);
  ASSERT_TRUE(generator.ok()) << generator.status();
  PipelineEvaluator evaluator(setup,
                              std::make_unique<CpuTarget>(setup, *reference, *std::move(generator),
                                                          compiler->get(), runner->get(), 2),
                              "w");
  v1::EvaluateTask task;
  *task.mutable_configuration() = recording.configuration();
  const v1::Evaluation evaluation = evaluator.Evaluate(task, {});
  EXPECT_EQ(evaluation.outcome(), v1::CORRECT) << evaluation.DebugString();
  EXPECT_GT(evaluation.measurement().median(), 0);

  task.mutable_configuration()->add_decisions()->set_key("no.such.decision");
  EXPECT_EQ(evaluator.Evaluate(task, {}).outcome(), v1::CONSTRAINTS);

  v1::ConfirmTask confirm;
  v1::ConfirmCandidate* candidate = confirm.add_candidates();
  *candidate->mutable_configuration() = recording.configuration();
  const v1::Confirmation confirmation = evaluator.Confirm(confirm, {});
  EXPECT_GE(confirmation.sequential().samples_size(), 6) << confirmation.DebugString();
  EXPECT_EQ(confirmation.candidates(0).measurement().samples_size(),
            confirmation.sequential().samples_size());
  EXPECT_EQ(confirmation.check().outcome(), v1::CORRECT) << confirmation.check().message();
  unsetenv("TUNE_LIBEXEC");
}

}  // namespace
}  // namespace tune
