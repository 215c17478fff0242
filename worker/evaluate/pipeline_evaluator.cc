#include "worker/evaluate/pipeline_evaluator.h"

#include <thread>

#include "common/base/fingerprint.h"
#include "common/evaluation/measurement.h"
#include "worker/evaluate/confirmation_ranking.h"
#include "worker/evaluate/stage_timer.h"
#include "worker/measure/stopping_rule.h"

namespace tune {
namespace {

constexpr size_t kLogLimit = 64 << 10;
// Share of the evaluation's time that is spent on samples, and the most for one candidate.
constexpr double kSamplingShare = 0.25;
constexpr double kSamplingSeconds = 0.75;
constexpr double kConfirmSeconds = 2;  // a candidate; there are more samples of it than in its evaluation
constexpr int kConfirmMinSamples = 10;

void Fail(v1::Evaluation* evaluation, v1::Outcome outcome, absl::string_view message,
          absl::string_view log = "") {
  evaluation->set_outcome(outcome);
  // One line, whatever the source of the message.
  evaluation->set_message(std::string(message.substr(0, message.find('\n'))));
  if (log.size() > kLogLimit) log.remove_prefix(log.size() - kLogLimit);
  evaluation->set_log(std::string(log));
}

// Text fields of a message must be UTF-8; a candidate may print anything.
std::string Printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80 || c == '\0') c = '?';
  }
  return text;
}

// The walk and the generator tell by their code what the candidate's outcome is.
v1::Outcome OutcomeOfGenerator(const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? v1::CONSTRAINTS : v1::COMPILE;
}

}  // namespace

PipelineEvaluator::PipelineEvaluator(v1::StudySetup setup, std::unique_ptr<EvaluationTarget> target,
                                     std::string worker)
    : setup_(std::move(setup)), target_(std::move(target)), worker_(std::move(worker)) {}

v1::Evaluation PipelineEvaluator::Evaluate(const v1::EvaluateTask& task, const TaskControl& control) {
  Progress progress;
  progress.evaluation.set_worker(worker_);
  std::optional<BestTime::Awaited> awaited;
  if (task.candidate_index() == 0) awaited.emplace(&best_);
  // 1. The configuration's decisions, replayed, become code.
  Generate(task.configuration(), control, &progress);
  if (task.has_diagnosis() && progress.open()) Diagnose(task, control, &progress);
  // 2. Code that was evaluated before in this study is not run again.
  RecogniseKnownCode(task, &progress);
  // 3. Code becomes a binary.
  if (progress.open()) Build(control, &progress);
  // 4. A child process checks its outputs and measures it.
  if (progress.open()) Run(task, control, &progress);
  if (control.cancelled()) Fail(&progress.evaluation, v1::CANCELLED, "cancelled");
  return std::move(progress.evaluation);
}

void PipelineEvaluator::Generate(const v1::Configuration& configuration, const TaskControl& control,
                                 Progress* progress) {
  v1::Evaluation* evaluation = &progress->evaluation;
  const StageTimer timer("generate", control, evaluation);
  absl::StatusOr<GeneratedProgram> generated = target_->Generate(configuration);
  if (!generated.ok()) {
    return Fail(evaluation, OutcomeOfGenerator(generated.status()), generated.status().message(),
                generated.status().message());
  }
  progress->program = *std::move(generated);
  evaluation->set_code(progress->program.code);
  evaluation->set_device_file(progress->program.device_file);
  evaluation->set_code_fingerprint(
      Fingerprint(absl::StrCat(progress->program.fingerprint, "\n", target_->BuildKey())));
}

void PipelineEvaluator::Diagnose(const v1::EvaluateTask& task, const TaskControl& control,
                                 Progress* progress) {
  v1::Evaluation* evaluation = &progress->evaluation;
  const StageTimer timer("diagnose", control, evaluation);
  const absl::StatusOr<std::vector<v1::Finding>> findings =
      target_->Diagnose(task.configuration(), progress->program, task.diagnosis());
  if (!findings.ok()) {
    return Fail(evaluation, OutcomeOfGenerator(findings.status()), findings.status().message(),
                findings.status().message());
  }
  *evaluation->mutable_findings() = {findings->begin(), findings->end()};
}

void PipelineEvaluator::RecogniseKnownCode(const v1::EvaluateTask& task, Progress* progress) const {
  if (!progress->open()) return;
  const uint64_t code = FirstBits(progress->evaluation.code_fingerprint());
  const int count = std::min(task.known_codes_size(), task.known_candidates_size());
  for (int i = 0; i < count; ++i) {
    if (task.known_codes(i) != code || task.known_candidates(i) == task.candidate_index()) continue;
    progress->evaluation.set_duplicate_of_plus_one(task.known_candidates(i) + 1);
    // The server copies outcome and measurement from the other candidate; until then the code is what counts.
    progress->evaluation.set_outcome(v1::CORRECT);
    return;
  }
}

CompileLimits PipelineEvaluator::BuildLimits(const TaskControl& control) const {
  return CompileLimitsOf(setup_.limits(), control.cancellation);
}

void PipelineEvaluator::Build(const TaskControl& control, Progress* progress) {
  const StageTimer timer("compile", control, &progress->evaluation);
  TellBuilt(target_->Build(progress->program, BuildLimits(control)), progress);
}

void PipelineEvaluator::TellBuilt(const absl::StatusOr<BuildResult>& result, Progress* progress) {
  v1::Evaluation* evaluation = &progress->evaluation;
  if (!result.ok())
    return Fail(evaluation, v1::COMPILE, absl::StrCat("the worker: ", result.status().message()));
  const CompileResult& compiled = result->compiled;
  evaluation->set_compile_command(compiled.command);
  if (!compiled.ok)
    return Fail(evaluation, v1::COMPILE, Printable(compiled.message), Printable(compiled.log));
  progress->built = result->candidate;
}

void PipelineEvaluator::CopyVerdict(const RunOutcome& outcome, size_t index, Progress* progress) {
  const v1::RunnerVerdict& verdict = outcome.verdicts.at(index);
  v1::Evaluation* evaluation = &progress->evaluation;
  *evaluation->mutable_errors() = verdict.errors();
  *evaluation->mutable_kernels() = verdict.kernels();
  const std::vector<CudaKernelFacts>& facts = progress->program.cuda.facts;
  for (size_t i = 0; i < facts.size() && static_cast<int>(i) < evaluation->kernels_size(); ++i) {
    evaluation->mutable_kernels(static_cast<int>(i))->set_name(facts[i].name);
  }
  evaluation->set_device(outcome.device);
  if (verdict.outcome() != v1::CORRECT) {
    return Fail(evaluation, verdict.outcome(), Printable(verdict.message()), Printable(outcome.log));
  }
  evaluation->set_outcome(v1::CORRECT);
  *evaluation->mutable_measurement() = MakeMeasurement({verdict.samples().begin(), verdict.samples().end()});
  evaluation->mutable_measurement()->set_joules(verdict.joules());
}

void PipelineEvaluator::Run(const v1::EvaluateTask& task, const TaskControl& control, Progress* progress) {
  StageTimer timer("run", control, &progress->evaluation);
  RunLimits limits;
  limits.wall_seconds = setup_.limits().evaluation_seconds();
  limits.sampling.set_max_seconds(std::min(kSamplingSeconds, kSamplingShare * limits.wall_seconds));
  best_.Offer(task.best_seconds());
  limits.best = &best_;
  limits.kernel_times = true;
  limits.cancellation = control.cancellation;
  const double waited = task.candidate_index() == 0 ? 0 : best_.Wait(control.cancellation);
  const absl::StatusOr<RunOutcome> outcome = target_->Run({progress->built}, limits);
  if (!outcome.ok()) {
    return Fail(&progress->evaluation, v1::RUNTIME, absl::StrCat("the worker: ", outcome.status().message()));
  }
  if (waited + outcome->waited_seconds > 0) timer.Attribute("wait", waited + outcome->waited_seconds);
  // What remains of "run" is the way to the runner and back, and its restart.
  for (const v1::StageTime& stage : outcome->verdicts.at(0).stages())
    timer.Attribute(stage.stage(), stage.seconds());
  CopyVerdict(*outcome, 0, progress);
  best_.Offer(progress->evaluation.measurement().median());
}

std::optional<PipelineEvaluator::Progress> PipelineEvaluator::BuildOriginal(const TaskControl& control) {
  absl::StatusOr<std::optional<BuildResult>> result = target_->BuildOriginal(BuildLimits(control));
  if (result.ok() && !result->has_value()) return std::nullopt;
  Progress progress;
  TellBuilt(result.ok() ? absl::StatusOr<BuildResult>(**std::move(result)) : result.status(), &progress);
  return progress;
}

std::vector<PipelineEvaluator::Progress> PipelineEvaluator::BuildAll(const v1::ConfirmTask& task,
                                                                     const TaskControl& control) {
  std::vector<Progress> built(task.candidates_size());
  const auto build = [&](int i) {
    Generate(task.candidates(i).configuration(), control, &built[i]);
    if (built[i].open()) Build(control, &built[i]);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < task.candidates_size(); ++i) {
    if (target_->parallel()) {
      threads.emplace_back(build, i);
    } else {
      build(i);
    }
  }
  for (std::thread& thread : threads) thread.join();
  return built;
}

void PipelineEvaluator::RunInTurns(const std::vector<Progress*>& built, const TaskControl& control) {
  if (built.empty()) return;
  std::vector<BuiltCandidate> candidates;
  for (const Progress* progress : built) candidates.push_back(progress->built);
  const double count = static_cast<double>(built.size());
  RunLimits limits;
  limits.wall_seconds = count * setup_.limits().evaluation_seconds();
  limits.sampling.set_min_samples(kConfirmMinSamples);
  limits.sampling.set_max_seconds(
      count * std::min(kConfirmSeconds, kSamplingShare * setup_.limits().evaluation_seconds()));
  limits.cancellation = control.cancellation;
  control.Enter("run");
  const absl::StatusOr<RunOutcome> outcome = target_->Run(candidates, limits);
  for (size_t i = 0; i < built.size(); ++i) {
    if (outcome.ok()) {
      CopyVerdict(*outcome, i, built[i]);
    } else {
      Fail(&built[i]->evaluation, v1::RUNTIME, absl::StrCat("the worker: ", outcome.status().message()));
    }
  }
}

// Where it was not measured beside the candidates, its one time is that of the reference run.
void PipelineEvaluator::TellOriginal(const std::optional<Progress>& original,
                                     v1::Confirmation* confirmation) const {
  if (original.has_value() && original->evaluation.outcome() == v1::CORRECT) {
    *confirmation->mutable_sequential() = original->evaluation.measurement();
  } else if (setup_.reference().sequential_seconds() > 0) {
    *confirmation->mutable_sequential() = MakeMeasurement({setup_.reference().sequential_seconds()});
  }
}

v1::Confirmation PipelineEvaluator::Confirm(const v1::ConfirmTask& task, const TaskControl& control) {
  v1::Confirmation confirmation;
  confirmation.set_worker(worker_);
  // 1. The original region and every candidate are built; what cannot be built says why.
  std::optional<Progress> original = BuildOriginal(control);
  std::vector<Progress> built = BuildAll(task, control);
  // 2. Those that were built are measured in turns.
  std::vector<Progress*> running;
  if (original.has_value() && original->open()) running.push_back(&*original);
  for (Progress& progress : built) {
    if (progress.open()) running.push_back(&progress);
  }
  RunInTurns(running, control);
  // 3. Fastest first, and who cannot be told apart from the fastest.
  TellOriginal(original, &confirmation);
  for (int i = 0; i < task.candidates_size(); ++i) {
    v1::ConfirmedCandidate* candidate = confirmation.add_candidates();
    candidate->set_index(task.candidates(i).index());
    const v1::Evaluation& evaluation = built[i].evaluation;
    if (evaluation.outcome() == v1::CORRECT) *candidate->mutable_measurement() = evaluation.measurement();
    if (evaluation.outcome() != v1::CORRECT) candidate->set_message(evaluation.message());
  }
  RankConfirmation(&confirmation);
  // 4. The fastest in the user's own program.
  for (int i = 0; i < task.candidates_size() && confirmation.candidates_size() > 0; ++i) {
    if (task.candidates(i).index() != confirmation.candidates(0).index()) continue;
    if (built[i].evaluation.outcome() != v1::CORRECT) continue;
    control.Enter("check");
    *confirmation.mutable_check() = target_->CheckProgram(built[i].program, control.cancellation);
    confirmation.mutable_check()->set_index(task.candidates(i).index());
  }
  return confirmation;
}

}  // namespace tune
