#include "worker/evaluate/kernel_target.h"

#include <gmock/gmock.h>

#include "tests/worker/kernels/kernel_study.h"
#include "worker/evaluate/pipeline_evaluator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// matmul.c, and a kernel that goes wrong in ways that FAULT says.
constexpr char kFaulty[] = R"(
#include <stdlib.h>
void faulty(int n, double *A, const double *B, const double *T, double *C) {
#if FAULT == 3
#error this value cannot be built
#endif
  matmul(n, A, B, T, C);
#if FAULT == 1
  C[5] += 1;
#elif FAULT == 2
  abort();
#elif FAULT == 4
  for (volatile int again = 1; again;) { }
#elif FAULT == 5
  C[n * n] = 1;
#elif FAULT == 6
  A[0] = 1;
#endif
}
)";

class KernelTargetTest : public KernelStudyTest {
 protected:
  void SetUp() override {
    KernelStudyTest::SetUp();
    v1::KernelDefinition definition = testing::MatmulDefinition(32, "faulty");
    testing::AddIntegerParameter("FAULT", {0, 1, 2, 3, 4, 5, 6}, 0, &definition);
    setup_ = SetupOf(testing::KernelSpec(definition, MatmulText() + kFaulty));
  }

  void Start() {
    absl::StatusOr<ReferenceData> data = Reference();
    ASSERT_TRUE(data.ok()) << data.status() << log_;
    *setup_.mutable_reference() = data->reference;
    auto target = KernelTarget::Make(setup_, *data, compiler_.get(), runner_.get(), 1);
    ASSERT_TRUE(target.ok()) << target.status();
    evaluator_ = std::make_unique<PipelineEvaluator>(setup_, *std::move(target), "w");
  }

  static v1::Configuration Configuration(const std::map<std::string, int>& chosen) {
    std::map<std::string, int> values = {
        {"TILE_I", 16}, {"TILE_J", 16}, {"UNROLL", 1}, {"TRANSPOSED", 0}, {"FAULT", 0}};
    for (const auto& [name, value] : chosen) values[name] = value;
    v1::Configuration configuration;
    for (const auto& [name, value] : values) {
      v1::Decision& decision = *configuration.add_decisions();
      decision.set_key(name);
      decision.set_option(absl::StrCat(value));
    }
    return configuration;
  }

  v1::Evaluation Evaluate(const std::map<std::string, int>& chosen) {
    v1::EvaluateTask task;
    task.set_candidate_index(1);
    *task.mutable_configuration() = Configuration(chosen);
    return evaluator_->Evaluate(task, {});
  }

  std::unique_ptr<PipelineEvaluator> evaluator_;
};

TEST_F(KernelTargetTest, ACorrectConfiguration) {
  Start();
  const v1::Evaluation evaluation = Evaluate({{"TRANSPOSED", 1}, {"UNROLL", 4}});
  EXPECT_EQ(evaluation.outcome(), v1::CORRECT) << evaluation.message() << evaluation.log();
  EXPECT_GT(evaluation.measurement().median(), 0);
  EXPECT_THAT(evaluation.code(), HasSubstr("#define UNROLL 4\n#define TRANSPOSED 1\n"));
  EXPECT_THAT(evaluation.compile_command(), HasSubstr("-DUNROLL=4"));
  EXPECT_NE(evaluation.code_fingerprint(), Evaluate({{"TRANSPOSED", 1}}).code_fingerprint());
  // T is not looked at.
  ASSERT_EQ(evaluation.errors_size(), 1);
  EXPECT_EQ(evaluation.errors(0).array(), "C");
}

TEST_F(KernelTargetTest, WhatGoesWrongIsTheCandidatesOutcome) {
  setup_.mutable_limits()->set_evaluation_seconds(2);
  Start();
  v1::Evaluation evaluation = Evaluate({{"FAULT", 1}});
  EXPECT_EQ(evaluation.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(evaluation.message(), HasSubstr("C[5] is "));
  EXPECT_EQ(Evaluate({{"FAULT", 2}}).outcome(), v1::RUNTIME);
  evaluation = Evaluate({{"FAULT", 3}});
  EXPECT_EQ(evaluation.outcome(), v1::COMPILE);
  EXPECT_THAT(evaluation.message(), HasSubstr("this value cannot be built"));
  EXPECT_EQ(Evaluate({{"FAULT", 4}}).outcome(), v1::TIMEOUT);
  evaluation = Evaluate({{"FAULT", 5}});
  EXPECT_EQ(evaluation.outcome(), v1::RUNTIME);
  EXPECT_THAT(evaluation.message(), HasSubstr("C"));
  evaluation = Evaluate({{"FAULT", 6}});
  EXPECT_EQ(evaluation.outcome(), v1::RUNTIME);
  EXPECT_THAT(evaluation.message(), HasSubstr("A"));
  EXPECT_EQ(Evaluate({}).outcome(), v1::CORRECT);
}

TEST_F(KernelTargetTest, ChecksAreThoseOfTheDefinition) {
  v1::OutputCheck& check = *setup_.mutable_kernel()->mutable_reference()->add_checks();
  check.set_argument("C");
  check.set_method(v1::CHECK_EACH_DIFFERENCE);
  check.set_threshold(2);
  Start();
  const v1::Evaluation evaluation = Evaluate({{"FAULT", 1}});
  EXPECT_EQ(evaluation.outcome(), v1::CORRECT) << evaluation.message();
  EXPECT_NEAR(evaluation.errors(0).measured(), 1, 1e-9);
}

TEST_F(KernelTargetTest, WhatIsNoConfigurationIsToldAsSuch) {
  Start();
  EXPECT_EQ(Evaluate({{"TILE_I", 32}, {"TILE_J", 32}}).outcome(), v1::CONSTRAINTS);
  EXPECT_EQ(Evaluate({{"TILE_I", 7}}).outcome(), v1::CONSTRAINTS);
  v1::EvaluateTask task;
  *task.mutable_configuration() = Configuration({});
  task.mutable_diagnosis()->set_check_mapping(true);
  const v1::Evaluation evaluation = evaluator_->Evaluate(task, {});
  EXPECT_EQ(evaluation.outcome(), v1::CONSTRAINTS);
  EXPECT_THAT(evaluation.message(), HasSubstr("hand-written kernels have neither a mapping nor stages"));
}

TEST_F(KernelTargetTest, ConfirmationMeasuresTheReferenceBesideCandidates) {
  Start();
  v1::ConfirmTask task;
  for (const int unroll : {1, 4}) {
    v1::ConfirmCandidate& candidate = *task.add_candidates();
    candidate.set_index(unroll);
    *candidate.mutable_configuration() = Configuration({{"UNROLL", unroll}});
  }
  const v1::Confirmation confirmation = evaluator_->Confirm(task, {});
  ASSERT_EQ(confirmation.candidates_size(), 2);
  for (const v1::ConfirmedCandidate& candidate : confirmation.candidates()) {
    EXPECT_EQ(candidate.message(), "");
    EXPECT_GT(candidate.measurement().median(), 0);
  }
  EXPECT_GT(confirmation.sequential().samples_size(), 1);
  EXPECT_EQ(confirmation.check().outcome(), v1::OUTCOME_UNSPECIFIED);
  EXPECT_THAT(confirmation.check().message(), HasSubstr("without a program"));
}

}  // namespace
}  // namespace tune
