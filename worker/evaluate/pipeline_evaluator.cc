#include "worker/evaluate/pipeline_evaluator.h"

#include "common/base/fingerprint.h"
#include "common/evaluation/measurement.h"
#include "worker/codegen/region_function.h"
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
// Address space of a thread: its stack and what the C library reserves.
constexpr int64_t kThreadBytes = 16 << 20;

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

void CopyVerdict(const v1::RunnerVerdict& verdict, const std::string& log, v1::Evaluation* evaluation) {
  *evaluation->mutable_errors() = verdict.errors();
  if (verdict.outcome() != v1::CORRECT) {
    return Fail(evaluation, verdict.outcome(), Printable(verdict.message()), Printable(log));
  }
  evaluation->set_outcome(v1::CORRECT);
  *evaluation->mutable_measurement() = MakeMeasurement({verdict.samples().begin(), verdict.samples().end()});
}

}  // namespace

PipelineEvaluator::PipelineEvaluator(v1::StudySetup setup, ReferenceData reference,
                                     std::unique_ptr<CodeGenerator> generator, Compiler* compiler,
                                     Runner* runner, int threads, std::string worker)
    : setup_(std::move(setup)),
      reference_(std::move(reference)),
      generator_(std::move(generator)),
      compiler_(compiler),
      runner_(runner),
      threads_(threads),
      worker_(std::move(worker)) {}

v1::Evaluation PipelineEvaluator::Evaluate(const v1::EvaluateTask& task, const TaskControl& control) {
  Progress progress;
  progress.evaluation.set_worker(worker_);
  // 1. The configuration's decisions, replayed, become C.
  Generate(task.configuration(), control, &progress);
  // 2. Code that was evaluated before in this study is not run again.
  RecogniseKnownCode(task, &progress);
  // 3. C becomes a shared object.
  if (progress.open()) Compile(control, &progress);
  // 4. A child process checks its outputs and measures it.
  if (progress.open()) Run(task, control, &progress);
  if (control.cancelled()) Fail(&progress.evaluation, v1::CANCELLED, "cancelled");
  return std::move(progress.evaluation);
}

void PipelineEvaluator::Generate(const v1::Configuration& configuration, const TaskControl& control,
                                 Progress* progress) {
  const StageTimer timer("generate", control, &progress->evaluation);
  const absl::StatusOr<GeneratedProgram> generated = generator_->Generate(configuration);
  if (!generated.ok()) {
    return Fail(&progress->evaluation, OutcomeOfGenerator(generated.status()), generated.status().message(),
                generated.status().message());
  }
  progress->evaluation.set_code(generated->code);
  progress->evaluation.set_code_fingerprint(
      Fingerprint(absl::StrCat(generated->fingerprint, "\n", compiler_->CandidateKey(setup_.program()))));
}

void PipelineEvaluator::RecogniseKnownCode(const v1::EvaluateTask& task, Progress* progress) const {
  if (!progress->open()) return;
  for (const v1::KnownCode& known : task.known()) {
    if (known.code_fingerprint() != progress->evaluation.code_fingerprint()) continue;
    if (known.candidate_index() == task.candidate_index()) continue;
    progress->evaluation.set_duplicate_of_plus_one(known.candidate_index() + 1);
    // The server copies outcome and measurement from the other candidate; until then the code is what counts.
    progress->evaluation.set_outcome(v1::CORRECT);
    return;
  }
}

void PipelineEvaluator::Compile(const TaskControl& control, Progress* progress) {
  const StageTimer timer("compile", control, &progress->evaluation);
  v1::Evaluation* evaluation = &progress->evaluation;
  const absl::StatusOr<std::string> source =
      PrintRegionFunction(setup_.scop(), reference_.reference, evaluation->code());
  if (!source.ok()) return Fail(evaluation, v1::COMPILE, source.status().message());
  CompileLimits limits;
  limits.wall = absl::Seconds(setup_.limits().compile_seconds());
  limits.cancellation = control.cancellation;
  const absl::StatusOr<CompileResult> result = compiler_->CompileCandidate(*source, setup_.program(), limits);
  if (!result.ok())
    return Fail(evaluation, v1::COMPILE, absl::StrCat("the worker: ", result.status().message()));
  evaluation->set_compile_command(result->command);
  if (!result->ok) return Fail(evaluation, v1::COMPILE, Printable(result->message), Printable(result->log));
  progress->library = result->binary;
}

absl::StatusOr<RunRequest> PipelineEvaluator::MakeRequest(const std::vector<std::string>& libraries,
                                                          const TaskControl& control) const {
  RunRequest request;
  v1::RunnerJob& job = request.job;
  for (const std::string& library : libraries) job.add_candidates()->set_library(library);
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::RunnerArray> arrays,
                        RunnerArrays(setup_.scop(), reference_, /*compare_outputs=*/true));
  for (const v1::RunnerArray& array : arrays) *job.add_arrays() = array;
  const double wall = setup_.limits().evaluation_seconds() * static_cast<double>(libraries.size());
  job.set_memory_bytes(setup_.limits().memory_bytes() + threads_ * kThreadBytes);
  job.set_file_bytes(setup_.limits().file_bytes());
  job.set_cpu_seconds(wall * std::max(1, threads_));
  job.set_float_relative(setup_.tolerance().float_relative());
  job.set_double_relative(setup_.tolerance().double_relative());
  request.wall_seconds = wall;
  request.cancellation = control.cancellation;
  return request;
}

void PipelineEvaluator::Run(const v1::EvaluateTask& task, const TaskControl& control, Progress* progress) {
  const StageTimer timer("run", control, &progress->evaluation);
  absl::StatusOr<RunRequest> request = MakeRequest({progress->library}, control);
  absl::StatusOr<RunOutcome> outcome = absl::UnknownError("not run");
  if (!request.ok()) {
    outcome = request.status();
  } else {
    v1::Sampling* sampling = request->job.mutable_sampling();
    sampling->set_max_seconds(
        std::min(kSamplingSeconds, kSamplingShare * setup_.limits().evaluation_seconds()));
    sampling->set_best_seconds(task.best_seconds());
    outcome = runner_->Run(*request);
  }
  if (!outcome.ok()) {
    return Fail(&progress->evaluation, v1::RUNTIME, absl::StrCat("the worker: ", outcome.status().message()));
  }
  CopyVerdict(outcome->verdicts.at(0), outcome->log, &progress->evaluation);
}

void PipelineEvaluator::BuildSequential(const TaskControl& control, Progress* progress) {
  const absl::StatusOr<GeneratedProgram> generated = GenerateSequential(setup_.scop(), reference_.reference);
  if (!generated.ok()) return Fail(&progress->evaluation, v1::COMPILE, generated.status().message());
  progress->evaluation.set_code(generated->code);
  Compile(control, progress);
}

v1::Confirmation PipelineEvaluator::Confirm(const v1::ConfirmTask& task, const TaskControl& control) {
  v1::Confirmation confirmation;
  confirmation.set_worker(worker_);
  // 1. The sequential program and every candidate are built; what cannot be built says why.
  std::vector<Progress> built(1 + task.candidates_size());
  BuildSequential(control, &built[0]);
  for (int i = 0; i < task.candidates_size(); ++i) {
    Generate(task.candidates(i).configuration(), control, &built[i + 1]);
    if (built[i + 1].open()) Compile(control, &built[i + 1]);
  }
  // 2. Those that were built are measured in turns.
  std::vector<std::string> libraries;
  std::vector<Progress*> running;
  for (Progress& progress : built) {
    if (!progress.open()) continue;
    libraries.push_back(progress.library);
    running.push_back(&progress);
  }
  control.Enter("run");
  absl::StatusOr<RunRequest> request = MakeRequest(libraries, control);
  absl::StatusOr<RunOutcome> outcome = absl::UnknownError("not run");
  if (!request.ok()) {
    outcome = request.status();
  } else if (!libraries.empty()) {
    v1::Sampling* sampling = request->job.mutable_sampling();
    const double count = static_cast<double>(libraries.size());
    sampling->set_min_samples(kConfirmMinSamples);
    sampling->set_max_seconds(
        count * std::min(kConfirmSeconds, kSamplingShare * setup_.limits().evaluation_seconds()));
    outcome = runner_->Run(*request);
  }
  for (size_t i = 0; i < running.size(); ++i) {
    if (outcome.ok()) {
      CopyVerdict(outcome->verdicts.at(i), outcome->log, &running[i]->evaluation);
    } else {
      Fail(&running[i]->evaluation, v1::RUNTIME, absl::StrCat("the worker: ", outcome.status().message()));
    }
  }
  // 3. Fastest first, and who cannot be told apart from the fastest.
  if (built[0].evaluation.outcome() == v1::CORRECT)
    *confirmation.mutable_sequential() = built[0].evaluation.measurement();
  for (int i = 0; i < task.candidates_size(); ++i) {
    v1::ConfirmedCandidate* candidate = confirmation.add_candidates();
    candidate->set_index(task.candidates(i).index());
    const v1::Evaluation& evaluation = built[i + 1].evaluation;
    if (evaluation.outcome() == v1::CORRECT) *candidate->mutable_measurement() = evaluation.measurement();
    if (evaluation.outcome() != v1::CORRECT) candidate->set_message(evaluation.message());
  }
  RankConfirmation(&confirmation);
  return confirmation;
}

}  // namespace tune
