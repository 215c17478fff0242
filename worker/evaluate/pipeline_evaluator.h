// The evaluation of one candidate, step by step.
#pragma once

#include <memory>
#include <vector>

#include "worker/build/compiler.h"
#include "worker/codegen/code_generator.h"
#include "worker/evaluate/evaluator.h"
#include "worker/reference/reference_data.h"
#include "worker/run/runner.h"

namespace tune {

// generate -> recognise known code -> print -> compile -> run -> evaluation.
class PipelineEvaluator : public Evaluator {
 public:
  // Compiler and runner are not owned. `threads`: hardware threads that candidates may use.
  PipelineEvaluator(v1::StudySetup setup, ReferenceData reference, std::unique_ptr<CodeGenerator> generator,
                    Compiler* compiler, Runner* runner, int threads, std::string worker);

  v1::Evaluation Evaluate(const v1::EvaluateTask& task, const TaskControl& control) override;
  v1::Confirmation Confirm(const v1::ConfirmTask& task, const TaskControl& control) override;

 private:
  // A candidate on its way through the steps. A step that fails sets the outcome, and the later
  // steps are skipped.
  struct Progress {
    v1::Evaluation evaluation;
    std::string library;
    bool open() const { return evaluation.outcome() == v1::OUTCOME_UNSPECIFIED; }
  };

  void Generate(const v1::Configuration& configuration, const TaskControl& control, Progress* progress);
  void RecogniseKnownCode(const v1::EvaluateTask& task, Progress* progress) const;
  void Compile(const TaskControl& control, Progress* progress);
  void Run(const v1::EvaluateTask& task, const TaskControl& control, Progress* progress);
  void BuildSequential(const TaskControl& control, Progress* progress);

  absl::StatusOr<RunRequest> MakeRequest(const std::vector<std::string>& libraries,
                                         const TaskControl& control) const;

  const v1::StudySetup setup_;
  const ReferenceData reference_;
  const std::unique_ptr<CodeGenerator> generator_;
  Compiler* const compiler_;
  Runner* const runner_;
  const int threads_;
  const std::string worker_;
};

}  // namespace tune
