// The evaluation of one candidate, step by step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/evaluate/evaluation_target.h"
#include "worker/evaluate/evaluator.h"

namespace tune {

// generate -> recognise known code -> build -> run -> evaluation. As thread safe as its target.
class PipelineEvaluator : public Evaluator {
 public:
  // `worker`: its name.
  PipelineEvaluator(v1::StudySetup setup, std::unique_ptr<EvaluationTarget> target, std::string worker);

  v1::Evaluation Evaluate(const v1::EvaluateTask& task, const TaskControl& control) override;
  v1::Confirmation Confirm(const v1::ConfirmTask& task, const TaskControl& control) override;

 private:
  // A candidate on its way through the steps. A step that fails sets the outcome, and the later
  // steps are skipped.
  struct Progress {
    v1::Evaluation evaluation;
    GeneratedProgram program;
    BuiltCandidate built;
    bool open() const { return evaluation.outcome() == v1::OUTCOME_UNSPECIFIED; }
  };

  void Generate(const v1::Configuration& configuration, const TaskControl& control, Progress* progress);
  void Diagnose(const v1::EvaluateTask& task, const TaskControl& control, Progress* progress);
  void RecogniseKnownCode(const v1::EvaluateTask& task, Progress* progress) const;
  void Build(const TaskControl& control, Progress* progress);
  void Run(const v1::EvaluateTask& task, const TaskControl& control, Progress* progress);
  // Parallel to the task's candidates, one after the other or, where the target allows it, all at once.
  std::vector<Progress> BuildAll(const v1::ConfirmTask& task, const TaskControl& control);
  // The unmodified region, where it can be measured beside candidates; else nothing.
  std::optional<Progress> BuildOriginal(const TaskControl& control);
  CompileLimits BuildLimits(const TaskControl& control) const;
  // What became of the program, or region, that was to be built.
  static void TellBuilt(const absl::StatusOr<BuildResult>& result, Progress* progress);
  void RunInTurns(const std::vector<Progress*>& built, const TaskControl& control);
  void TellOriginal(const std::optional<Progress>& original, v1::Confirmation* confirmation) const;
  static void CopyVerdict(const RunOutcome& outcome, size_t index, Progress* progress);

  const v1::StudySetup setup_;
  const std::unique_ptr<EvaluationTarget> target_;
  const std::string worker_;
  BestTime best_;
};

}  // namespace tune
