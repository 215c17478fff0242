#include "worker/cuda/cuda_job.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/evaluation/measurement.h"
#include "worker/run/unforeseeable.h"

namespace tune {
namespace {

// A first run this long is not slow because of cold caches and clocks.
constexpr double kFirstRunSignificant = 5e-3;
// Samples taken between two looks at throttling.
constexpr double kBatchSeconds = 5e-3;
constexpr int kLargestBatch = 6, kMostDrops = 2;
// Of a job's wall time, what may have passed when a turn ends: the worker's clock began earlier. And how much
// longer than the last one a turn may take.
constexpr double kShareOfWall = 0.9, kMarginOfTurn = 1.5;
// A run of so many seconds does not depend on what was in the caches before.
constexpr double kOutlastsCaches = 0.1;
// An estimate counts when the candidate is out of the race even if it is so many times faster.
constexpr double kDoubtOfProbe = 2;
// What is known of the kernels of candidates that are so many times slower than the best one: times,
// counters.
constexpr double kWorthTiming = 3, kWorthCounting = 1;

}  // namespace

absl::StatusOr<std::unique_ptr<CudaJobRunner>> CudaJobRunner::Make(int ordinal) {
  std::unique_ptr<CudaJobRunner> runner(new CudaJobRunner);
  TUNE_RETURN_IF_ERROR(runner->LoadTools(ordinal));
  return runner;
}

absl::Status CudaJobRunner::LoadTools(int ordinal) {
  TUNE_ASSIGN_OR_RETURN(session_, DeviceSession::Open(ordinal));
  absl::StatusOr<std::unique_ptr<UtilityKernels>> kernels = UtilityKernels::Make(*session_);
  if (kernels.ok()) {
    kernels_ = *std::move(kernels);
  } else {
    first_notes_.push_back(absl::StrCat("outputs are compared on the host, clocks are not warmed: ",
                                        kernels.status().message()));
  }
  TUNE_ASSIGN_OR_RETURN(compare_, OutputCompare::Make(*session_, kernels_.get()));
  TUNE_ASSIGN_OR_RETURN(warmup_, ClockWarmup::Make(*session_, kernels_.get()));
  TUNE_ASSIGN_OR_RETURN(probe_, LaunchProbe::Make(*session_));
  absl::StatusOr<std::unique_ptr<ThrottleWatch>> throttle = ThrottleWatch::Make(session_->uuid());
  if (throttle.ok()) throttle_ = *std::move(throttle);
  std::string note;
  kernel_timer_ = KernelTimer::Make(*session_, &note);
  if (!note.empty()) first_notes_.push_back(note);
  counters_.emplace(*session_);
  kept_ = std::make_unique<KeptArrays>(session_.get(), kernels_.get());
  return absl::OkStatus();
}

v1::CudaResult CudaJobRunner::Run(const v1::CudaJob& job) {
  job_ = &job;
  job_start_ = MonotonicSeconds();
  slowest_first_ = 0;
  sampling_ = FillSampling(job.sampling());
  tolerance_.float_relative = job.float_relative();
  tolerance_.double_relative = job.double_relative();
  result_.Clear();
  device_lost_ = false;
  lost_by_ = -1;
  for (std::string& note : first_notes_) Note(std::move(note));
  first_notes_.clear();

  const absl::Status status = RunSteps();
  for (size_t i = 0; i < runnables_.size(); ++i) {
    if (device_lost_ && static_cast<int>(i) > lost_by_) break;
    Runnable& runnable = *runnables_[i];
    runnable.verdict.mutable_samples()->Add(runnable.rule.samples().begin(), runnable.rule.samples().end());
    runnable.verdict.mutable_kernels()->Assign(runnable.kernels.begin(), runnable.kernels.end());
    *result_.add_verdicts() = std::move(runnable.verdict);
  }
  if (!status.ok()) {
    result_.clear_verdicts();
    result_.set_failure(std::string(status.message()));
    // What is neither a missing file nor a lack of memory may come from the device's state.
    device_lost_ = absl::IsInternal(status);
    if (!device_lost_) runnables_.clear();  // before what they are bound to
    if (!device_lost_) kept_->ForgetUsed();
  }
  result_.set_device_lost(device_lost_);
  if (!device_lost_) runnables_.clear();  // else the driver is not called any more
  warmup_->NoteWork();
  return result_;
}

absl::Status CudaJobRunner::RunSteps() {
  stage_start_ = MonotonicSeconds();
  // 1. Inputs and expected outputs, unless they are there from the job before.
  TUNE_RETURN_IF_ERROR(LoadArrays());
  // 2. Each candidate: load it, run it once, compare what it left with the reference.
  for (const v1::CudaCandidate& candidate : job_->candidates()) {
    TUNE_RETURN_IF_ERROR(LoadAndCheck(candidate));
    if (device_lost_) return absl::OkStatus();
  }
  // 3. Samples until they suffice.
  if (runnables_.size() != 1) return MeasureInTurns();
  Runnable& runnable = *runnables_.front();
  TUNE_RETURN_IF_ERROR(MeasureAlone(runnable));
  EndStage("samples", runnable);
  // 4. A race shows in some runs only, so the last one is checked too.
  if (runnable.alive()) TUNE_RETURN_IF_ERROR(CheckOutputs(runnable));
  TUNE_RETURN_IF_ERROR(RunOnFreshInputs(runnable, /*at_end=*/true));
  if (device_lost_) return absl::OkStatus();
  EndStage("check again", runnable);
  // 5. Each kernel's share, and 6. the device's counters: in runs of their own, that no sample is taken from.
  if (job_->kernel_times() && Worthy(kWorthTiming, runnable)) TUNE_RETURN_IF_ERROR(TimeKernels(runnable));
  if (job_->metrics() && Worthy(kWorthCounting, runnable)) TUNE_RETURN_IF_ERROR(CountMetrics(runnable));
  return absl::OkStatus();
}

// Whether more is to be learned of the candidate, for which it may be `times` slower than the best one.
bool CudaJobRunner::Worthy(double times, const Runnable& runnable) const {
  const double best = sampling_.best_seconds();
  return runnable.alive() &&
         (job_->metrics_of_all() || best <= 0 || Median(runnable.rule.samples()) <= times * best);
}

void CudaJobRunner::EndStage(const char* stage, Runnable& runnable) {
  const double now = MonotonicSeconds();
  v1::StageTime* time = runnable.verdict.add_stages();
  time->set_stage(stage);
  time->set_seconds(now - std::exchange(stage_start_, now));
}

absl::Status CudaJobRunner::LoadArrays() {
  TUNE_ASSIGN_OR_RETURN(KeptArrays::Study* const study, kept_->Use(*job_));
  arrays_ = &*study->arrays;
  run_ = &*study->run;
  if (job_->run_seconds() > 0) run_->set_limit_seconds(job_->run_seconds());
  return absl::OkStatus();
}

void CudaJobRunner::Fail(Runnable& runnable, v1::Outcome outcome, std::string message) {
  runnable.verdict.set_outcome(outcome);
  runnable.verdict.set_message(std::move(message));
}

void CudaJobRunner::Note(std::string note) {
  for (const std::string& present : result_.notes()) {
    if (present == note) return;
  }
  result_.add_notes(std::move(note));
}

bool CudaJobRunner::Accept(Runnable& runnable, const RegionRunEnd& end) {
  warmup_->NoteWork();
  const auto lose = [&] {
    device_lost_ = true;
    for (size_t i = 0; i < runnables_.size(); ++i) {
      if (runnables_[i].get() == &runnable) lost_by_ = static_cast<int>(i);
    }
  };
  switch (end.kind) {
    case RegionRunEnd::Kind::kDone:
      return true;
    case RegionRunEnd::Kind::kRefused:
      Fail(runnable, v1::RUNTIME, end.message);
      return false;
    case RegionRunEnd::Kind::kOutOfMemory:
      Fail(runnable, v1::OOM, end.message);
      return false;
    case RegionRunEnd::Kind::kFault:
      Fail(runnable, v1::RUNTIME, end.message);
      lose();
      return false;
    case RegionRunEnd::Kind::kTimeout:
      Fail(runnable, v1::TIMEOUT, end.message);
      lose();
      return false;
  }
  return false;
}

absl::Status CudaJobRunner::LoadAndCheck(const v1::CudaCandidate& candidate) {
  runnables_.push_back(std::make_unique<Runnable>(sampling_));
  Runnable& runnable = *runnables_.back();
  runnable.fresh_run_after = Unforeseeable(sampling_.min_samples());
  if (job_->candidates_size() > 1 && !TimeFor(slowest_first_)) {
    FailForTime(runnable);
    return absl::OkStatus();
  }
  TUNE_RETURN_IF_ERROR(Load(candidate, runnable));
  EndStage("load", runnable);
  if (!runnable.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(ProbeBlocks(runnable));
  EndStage("probe", runnable);
  if (!runnable.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(FirstRun(runnable));
  EndStage("first run", runnable);
  if (!runnable.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(CheckOutputs(runnable));
  EndStage("check", runnable);
  if (runnable.verdict.outcome() != v1::CORRECTNESS) return absl::OkStatus();
  // Perhaps an earlier candidate wrote over the inputs or the expected outputs.
  TUNE_ASSIGN_OR_RETURN(const bool repaired, arrays_->Repair());
  if (!repaired) return absl::OkStatus();
  Note("an earlier candidate had written over the reference on the device; it was copied there again");
  runnable.verdict.clear_message();
  runnable.verdict.set_outcome(v1::CORRECT);
  TUNE_RETURN_IF_ERROR(FirstRun(runnable));
  return runnable.alive() ? CheckOutputs(runnable) : absl::OkStatus();
}

absl::Status CudaJobRunner::Load(const v1::CudaCandidate& candidate, Runnable& runnable) {
  absl::StatusOr<std::unique_ptr<LoadedCandidate>> loaded = LoadedCandidate::Load(*session_, candidate);
  if (absl::IsResourceExhausted(loaded.status()) && kept_->FreeIdle()) {
    loaded = LoadedCandidate::Load(*session_, candidate);
  }
  if (absl::IsNotFound(loaded.status()) || absl::IsUnavailable(loaded.status())) return loaded.status();
  if (!loaded.ok()) {
    Fail(runnable, absl::IsResourceExhausted(loaded.status()) ? v1::OOM : v1::RUNTIME,
         absl::StrCat("cannot load the candidate: ", loaded.status().message()));
    return absl::OkStatus();
  }
  runnable.candidate = *std::move(loaded);
  absl::StatusOr<CandidateMemory> memory = arrays_->Bind(candidate);
  if (absl::IsResourceExhausted(memory.status())) {
    Fail(runnable, v1::OOM, std::string(memory.status().message()));
    return absl::OkStatus();
  }
  TUNE_RETURN_IF_ERROR(memory.status());
  runnable.memory = *std::move(memory);
  TUNE_ASSIGN_OR_RETURN(runnable.kernels, runnable.candidate->Facts());
  runnable.verdict.set_outcome(v1::CORRECT);
  return absl::OkStatus();
}

// Most candidates of a search are far from the best one: a part of their blocks shows it, in a fraction of
// the time that a run takes or that a process costs whose kernel must be ended.
absl::Status CudaJobRunner::ProbeBlocks(Runnable& runnable) {
  if (sampling_.best_seconds() <= 0 || job_->candidates_size() > 1) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const std::optional<LaunchProbe::Estimate> estimate,
                        probe_->Measure(*runnable.candidate, runnable.memory, *run_));
  if (!estimate.has_value()) return absl::OkStatus();
  // The first run makes room.
  if (estimate->end.kind == RegionRunEnd::Kind::kOutOfMemory) return absl::OkStatus();
  if (!Accept(runnable, estimate->end)) return absl::OkStatus();
  if (estimate->seconds < kFirstRunSignificant) return absl::OkStatus();
  const std::string reason = runnable.rule.HopelessByEstimate(estimate->seconds, kDoubtOfProbe);
  if (!reason.empty()) {
    Fail(runnable, v1::TIMEOUT,
         absl::StrCat(reason, ", judged by ", estimate->blocks, " of ", estimate->all, " blocks"));
  }
  return absl::OkStatus();
}

absl::Status CudaJobRunner::FirstRun(Runnable& runnable) {
  const double start = MonotonicSeconds();
  TUNE_ASSIGN_OR_RETURN(RegionRunEnd end, run_->First(*runnable.candidate, runnable.memory));
  if (end.kind == RegionRunEnd::Kind::kOutOfMemory && kept_->FreeIdle()) {
    TUNE_ASSIGN_OR_RETURN(end, run_->First(*runnable.candidate, runnable.memory));
  }
  const bool done = Accept(runnable, end);
  if (device_lost_) return absl::OkStatus();
  runnable.verdict.set_first_seconds(end.seconds);
  runnable.turn_seconds = 2 * (MonotonicSeconds() - start);
  slowest_first_ = std::max(slowest_first_, runnable.turn_seconds / 2);
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::KernelEvaluation> facts, runnable.candidate->Facts());
  if (done) runnable.kernels = std::move(facts);
  return absl::OkStatus();
}

absl::Status CudaJobRunner::CheckOutputs(Runnable& runnable) {
  TUNE_ASSIGN_OR_RETURN(const std::string overrun, arrays_->OverrunArray(runnable.memory));
  if (!overrun.empty()) {
    Fail(runnable, v1::RUNTIME, absl::StrCat("wrote behind the end of array ", overrun));
    return absl::OkStatus();
  }
  TUNE_ASSIGN_OR_RETURN(const std::string changed, arrays_->ChangedInput(*compare_));
  if (!changed.empty()) {
    Fail(runnable, v1::RUNTIME, absl::StrCat("wrote to array ", changed, ", which the region only reads"));
    return absl::OkStatus();
  }
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::ArrayError> errors, arrays_->Check(*compare_, tolerance_));
  JudgeOutputs(errors, &runnable.verdict);
  warmup_->NoteWork();
  return absl::OkStatus();
}

absl::Status CudaJobRunner::RunOnFreshInputs(Runnable& runnable, bool at_end) {
  const int sets = arrays_->fresh_sets();
  const bool due = at_end || runnable.fresh_run_after <= static_cast<int>(runnable.rule.samples().size());
  if (sets == 0 || !due || !runnable.alive() || runnable.fresh_run_done || !TimeFor(runnable.turn_seconds)) {
    return absl::OkStatus();
  }
  runnable.fresh_run_done = true;
  const int set = Unforeseeable(sets);
  TUNE_RETURN_IF_ERROR(arrays_->GiveFresh(set));
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end, run_->OnPresent(*runnable.candidate, runnable.memory));
  if (!Accept(runnable, end)) return device_lost_ ? absl::OkStatus() : arrays_->GiveRecorded();
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::ArrayError> errors,
                        arrays_->CheckFresh(set, *compare_, tolerance_));
  v1::RunnerVerdict on_fresh;
  on_fresh.set_outcome(v1::CORRECT);
  JudgeOutputs(errors, &on_fresh);
  if (on_fresh.outcome() != v1::CORRECT) {
    Fail(runnable, on_fresh.outcome(), absl::StrCat("on inputs that it had not seen: ", on_fresh.message()));
  }
  warmup_->NoteWork();
  return arrays_->GiveRecorded();
}

bool CudaJobRunner::CutShort(Runnable& runnable) {
  std::string reason = runnable.rule.HopelessReason(runnable.verdict.first_seconds(), kFirstRunSignificant);
  if (reason.empty()) return false;
  Fail(runnable, v1::TIMEOUT, std::move(reason));
  return true;
}

absl::StatusOr<std::optional<double>> CudaJobRunner::Sample(Runnable& runnable) {
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end, run_->Timed(*runnable.candidate, runnable.memory));
  if (!Accept(runnable, end)) return std::optional<double>();
  return std::optional<double>(end.seconds);
}

bool CudaJobRunner::Throttled(int* drops) {
  const std::string reasons = throttle_ != nullptr ? throttle_->Reasons() : "";
  if (reasons.empty()) return false;
  const bool drop = *drops < kMostDrops;
  if (drop) ++*drops;
  Note(absl::StrCat("the device throttles (", reasons,
                    "): ", drop ? "samples were dropped and taken again" : "samples were kept all the same"));
  return drop;
}

absl::Status CudaJobRunner::MeasureAlone(Runnable& runnable) {
  if (!runnable.alive() || CutShort(runnable)) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(warmup_->WarmUp());
  EndStage("warm up", runnable);
  const double start = MonotonicSeconds();
  int batch = 1, drops = 0;
  while (runnable.rule.samples().empty() ||
         (!runnable.rule.Satisfied() && MonotonicSeconds() - start < sampling_.max_seconds())) {
    TUNE_RETURN_IF_ERROR(RunOnFreshInputs(runnable, /*at_end=*/false));
    if (!runnable.alive()) return absl::OkStatus();
    std::vector<double> samples;
    for (int i = 0; i < batch; ++i) {
      TUNE_ASSIGN_OR_RETURN(const std::optional<double> seconds, Sample(runnable));
      if (!seconds.has_value()) return absl::OkStatus();
      samples.push_back(*seconds);
    }
    if (Throttled(&drops)) continue;
    for (double seconds : samples) runnable.rule.Add(seconds);
    if (CutShort(runnable)) break;
    const int missing = sampling_.min_samples() - static_cast<int>(runnable.rule.samples().size());
    const double fitting = kBatchSeconds / std::max(samples.back(), 1e-6);
    batch = std::clamp(std::min(missing > 0 ? missing : kLargestBatch / 2, static_cast<int>(fitting)), 1,
                       kLargestBatch);
  }
  return absl::OkStatus();
}

bool CudaJobRunner::TimeFor(double seconds) const {
  const double passed = MonotonicSeconds() - job_start_;
  return job_->wall_seconds() <= 0 || passed + kMarginOfTurn * seconds < kShareOfWall * job_->wall_seconds();
}

// Rounds of one sample for each candidate, until the samples suffice or the time is up. A round that was not
// completed counts only when it is the first.
absl::Status CudaJobRunner::MeasureInTurns() {
  TUNE_RETURN_IF_ERROR(warmup_->WarmUp());
  const double start = MonotonicSeconds();
  bool satisfied = false, first = true;
  int drops = 0;
  while (!satisfied) {
    Round round;
    TUNE_RETURN_IF_ERROR(MeasureRound(&round));
    if (device_lost_) return absl::OkStatus();
    if (!round.complete && !first) break;
    if (round.complete && Throttled(&drops)) continue;
    first = false;
    satisfied = true;
    for (const auto& [runnable, seconds] : round.samples) {
      runnable->rule.Add(seconds);
      if (!runnable->rule.Satisfied()) satisfied = false;
    }
    if (!round.complete || MonotonicSeconds() - start >= sampling_.max_seconds()) break;
  }
  for (const std::unique_ptr<Runnable>& runnable : runnables_) {
    TUNE_RETURN_IF_ERROR(RunOnFreshInputs(*runnable, /*at_end=*/true));
    if (device_lost_) return absl::OkStatus();
  }
  JudgeUnmeasured();
  return absl::OkStatus();
}

// A run without timing goes before each timed one, unless it is long: it leaves caches as the candidate's own
// runs leave them, not as its neighbour's.
absl::Status CudaJobRunner::MeasureRound(Round* round) {
  for (const std::unique_ptr<Runnable>& runnable : runnables_) {
    if (!runnable->alive()) continue;
    if (!TimeFor(runnable->turn_seconds)) {
      round->complete = false;
      return absl::OkStatus();
    }
    TUNE_RETURN_IF_ERROR(RunOnFreshInputs(*runnable, /*at_end=*/false));
    if (device_lost_) return absl::OkStatus();
    if (!runnable->alive()) continue;
    const double start = MonotonicSeconds();
    TUNE_ASSIGN_OR_RETURN(std::optional<double> seconds, Sample(*runnable));
    if (seconds.has_value() && *seconds < kOutlastsCaches) {
      TUNE_ASSIGN_OR_RETURN(seconds, Sample(*runnable));
    }
    if (device_lost_) return absl::OkStatus();
    if (seconds.has_value()) round->samples.emplace_back(runnable.get(), *seconds);
    runnable->turn_seconds = MonotonicSeconds() - start;
  }
  return absl::OkStatus();
}

// The first run of who had no turn counts as its one sample, if it was long.
void CudaJobRunner::JudgeUnmeasured() {
  for (const std::unique_ptr<Runnable>& runnable : runnables_) {
    if (!runnable->alive() || !runnable->rule.samples().empty()) continue;
    const double first = runnable->verdict.first_seconds();
    if (first >= kOutlastsCaches) {
      runnable->rule.Add(first);
    } else {
      FailForTime(*runnable);
    }
  }
}

void CudaJobRunner::FailForTime(Runnable& runnable) const {
  Fail(runnable, v1::TIMEOUT,
       absl::StrFormat("not measured: the %.3g s for %d candidates in turns were over", job_->wall_seconds(),
                       job_->candidates_size()));
}

absl::Status CudaJobRunner::TimeKernels(Runnable& runnable) {
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                        kernel_timer_->Measure(*runnable.candidate, runnable.memory, *run_,
                                               Median(runnable.rule.samples()), &runnable.kernels));
  EndStage("kernel times", runnable);
  Accept(runnable, end);
  return absl::OkStatus();
}

absl::Status CudaJobRunner::CountMetrics(Runnable& runnable) {
  std::string note;
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                        counters_->Measure(*runnable.candidate, runnable.memory, *run_,
                                           Median(runnable.rule.samples()), &runnable.kernels, &note));
  EndStage("counters", runnable);
  if (!note.empty()) Note(note);
  Accept(runnable, end);
  return absl::OkStatus();
}

}  // namespace tune
