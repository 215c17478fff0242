// What the steps of an evaluation are on one target.
#pragma once

#include <optional>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/build/compiler.h"
#include "worker/codegen/code_generator.h"
#include "worker/evaluate/best_time.h"
#include "worker/run/runner.h"

namespace tune {

// A candidate as a runner takes it; one of the two is set.
struct BuiltCandidate {
  v1::RunnerCandidate cpu;
  v1::CudaCandidate cuda;
};

struct BuildResult {
  CompileResult compiled;
  BuiltCandidate candidate;  // when compiled.ok
};

// How long a run of candidates may take.
struct RunLimits {
  double wall_seconds = 60;
  v1::Sampling sampling;  // without the best time
  // Asked when the run begins; null: no candidate is hopeless.
  const BestTime* best = nullptr;
  bool kernel_times = false;             // each kernel's time too, where there are kernels
  Cancellation* cancellation = nullptr;  // may be null
};

// Serves one study. Thread safe where the target allows several evaluations at once.
class EvaluationTarget {
 public:
  virtual ~EvaluationTarget() = default;
  // Whether several threads may generate and build at once.
  virtual bool parallel() const { return false; }

  // As CodeGenerator::Generate.
  virtual absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) = 0;
  // As CodeGenerator::Diagnose; `program`: what Generate made of the configuration.
  virtual absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                            const GeneratedProgram& program,
                                                            const v1::Diagnosis& diagnosis) = 0;
  // An error status is the worker's trouble.
  virtual absl::StatusOr<BuildResult> Build(const GeneratedProgram& program, const CompileLimits& limits) = 0;
  // The unmodified region, to be measured beside candidates; nothing where the two are not comparable.
  virtual absl::StatusOr<std::optional<BuildResult>> BuildOriginal(const CompileLimits& limits) = 0;
  // Everything besides the generated text that a binary depends on.
  virtual std::string BuildKey() const = 0;

  // Checks the candidates, and measures one alone or several in turns. Errors as Runner::Run.
  virtual absl::StatusOr<RunOutcome> Run(const std::vector<BuiltCandidate>& candidates,
                                         const RunLimits& limits) = 0;

  // Runs the user's program with this one in the region's place (CheckTunedProgram). `cancellation` may be
  // null.
  virtual v1::ProgramCheck CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) = 0;
};

}  // namespace tune
