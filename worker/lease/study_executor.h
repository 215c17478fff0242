// Leases of studies: what is needed for a study is made once and kept.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker/build/compiler.h"
#include "worker/evaluate/evaluator_factory.h"
#include "worker/lease/host_turns.h"
#include "worker/lease/task_executor.h"
#include "worker/lease/transport.h"
#include "worker/reference/reference_cache.h"
#include "worker/run/runner.h"

namespace tune {

struct StudyExecutorOptions {
  std::string worker;  // name
  std::string cache_folder;
  int slots = 1;                              // candidates for GPUs that are made at once
  const PpcgProgram* ppcg = nullptr;          // not owned; null: there is none here
  EvaluatorTools tools = {};                  // for references that are run on a device
  InspectorFactory make_inspector = nullptr;  // null: nothing is inspected here
};

// What is measured on the host's own processor has the host for itself; all else runs in parallel
// (HostTurns).
class StudyExecutor : public TaskExecutor {
 public:
  // Nothing is owned but the factory.
  StudyExecutor(const StudyExecutorOptions& options, Transport* transport, Compiler* compiler, Runner* runner,
                EvaluatorFactory factory);

  absl::StatusOr<v1::LeaseResult> Execute(const v1::Lease& lease, const TaskControl& control) override;
  void ForgetStudies() override;

 private:
  struct Study {
    explicit Study(v1::StudySetup given) : setup(std::move(given)) {}
    const v1::StudySetup setup;
    absl::Mutex preparing;
    // Null until they are needed.
    std::unique_ptr<Evaluator> evaluator ABSL_GUARDED_BY(preparing);
    std::unique_ptr<Inspector> inspector ABSL_GUARDED_BY(preparing);
  };
  using StudyPointer = std::shared_ptr<Study>;  // a lease's study outlives its place in the list

  // The study's setup, asked from the server when it is not kept, lacks a reference that is needed, or is
  // wanted for the reference run.
  absl::StatusOr<StudyPointer> FindStudy(const std::string& study_id, bool needs_reference,
                                         const TaskControl& control);
  StudyPointer KeptStudy(const std::string& study_id, bool needs_reference);
  absl::StatusOr<v1::StudySetup> AskSetup(const std::string& study_id, const TaskControl& control);

  absl::StatusOr<v1::ReferenceResult> RunReferenceTask(const Study& study, const TaskControl& control);
  // Whether this host has what the study's generator needs.
  absl::Status CheckTools(const v1::StudySetup& setup) const;
  // What else the generator needs to know from here.
  absl::Status PrepareGenerator(const Study& study, const TaskControl& control,
                                v1::Reference* reference) const;
  absl::StatusOr<v1::LeaseResult> RunLease(const StudyPointer& study, const v1::Lease& lease,
                                           const TaskControl& control);
  // What the study cannot go on with is FAILED_PRECONDITION.
  absl::StatusOr<Evaluator*> PrepareEvaluator(Study* study, const TaskControl& control, std::string* log);
  absl::StatusOr<Inspector*> PrepareInspector(Study* study, const TaskControl& control) const;
  // Without the reference's data.
  v1::Inspection Inspect(Study* study, const v1::InspectTask& task, const TaskControl& control) const;
  absl::StatusOr<ReferenceData> FindReference(const Study& study, const TaskControl& control,
                                              std::string* log);

  const StudyExecutorOptions options_;
  Transport* const transport_;
  Compiler* const compiler_;
  Runner* const runner_;
  const EvaluatorFactory factory_;
  const ReferenceCache references_;
  absl::Mutex asking_;
  HostTurns host_;
  absl::Mutex mutex_;
  std::list<StudyPointer> studies_ ABSL_GUARDED_BY(mutex_);  // most recently used first
};

}  // namespace tune
