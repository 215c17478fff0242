// Leases of studies: what is needed for a study is made once and kept.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "worker/build/compiler.h"
#include "worker/lease/task_executor.h"
#include "worker/lease/transport.h"
#include "worker/reference/reference_cache.h"
#include "worker/run/runner.h"

namespace tune {

struct StudyExecutorOptions {
  std::string worker;  // name
  std::string cache_folder;
  int threads = 1;  // hardware threads that candidates may use
};

// Makes the evaluator of a study whose reference is known.
using EvaluatorFactory = std::function<absl::StatusOr<std::unique_ptr<Evaluator>>(
    const v1::StudySetup& setup, const ReferenceData& reference)>;

class StudyExecutor : public TaskExecutor {
 public:
  // Nothing is owned but the factory.
  StudyExecutor(const StudyExecutorOptions& options, Transport* transport, Compiler* compiler, Runner* runner,
                EvaluatorFactory factory);

  absl::StatusOr<v1::LeaseResult> Execute(const v1::Lease& lease, const TaskControl& control) override;
  void ForgetStudies() override { forget_ = true; }

 private:
  struct Study {
    v1::StudySetup setup;
    std::unique_ptr<Evaluator> evaluator;  // null until it is needed
  };

  // The study's setup, asked from the server when it is not kept, lacks a reference that is needed, or is
  // wanted for the reference run.
  absl::StatusOr<Study*> FindStudy(const std::string& study_id, bool needs_reference,
                                   const TaskControl& control);
  absl::StatusOr<v1::StudySetup> AskSetup(const std::string& study_id, const TaskControl& control);

  absl::StatusOr<v1::ReferenceResult> RunReferenceTask(const Study& study, const TaskControl& control);
  // OK when study->evaluator is there. What the study cannot go on with is FAILED_PRECONDITION.
  absl::Status PrepareEvaluator(Study* study, const TaskControl& control, std::string* log);
  absl::StatusOr<ReferenceData> FindReference(const Study& study, const TaskControl& control,
                                              std::string* log);

  const StudyExecutorOptions options_;
  Transport* const transport_;
  Compiler* const compiler_;
  Runner* const runner_;
  const EvaluatorFactory factory_;
  const ReferenceCache references_;
  std::list<Study> studies_;  // most recently used first
  std::atomic<bool> forget_{false};
};

// PipelineEvaluator with the generator of the study's target.
EvaluatorFactory PipelineEvaluatorFactory(const StudyExecutorOptions& options, Compiler* compiler,
                                          Runner* runner);

}  // namespace tune
