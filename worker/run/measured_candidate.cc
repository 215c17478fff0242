#include "worker/run/measured_candidate.h"

#include <sys/wait.h>

#include <algorithm>
#include <limits>

#include "absl/strings/str_format.h"
#include "worker/run/monotonic_clock.h"
#include "worker/run/unforeseeable.h"

namespace tune {
namespace {

// A first run this long is not slow because of page faults and thread start.
constexpr double kFirstRunSignificant = 0.5;
// Turns with an empty region: so many, or as many as there is time for.
constexpr size_t kLeastTurns = 2, kMostTurns = 40;
constexpr double kSecondsOfTurns = 10e-3;
// A shorter run is repeated after one on fresh inputs, so that the next sample finds its caches as ever.
constexpr double kOutlastsCaches = 0.1;

// For the making of a candidate's process, which is not the candidate's doing: longer, and the machine is at
// fault. A shorter limit of the candidate ends it when it is loaded.
constexpr double kPreparationSeconds = 4;

ConfinementLimits LimitsOf(const v1::RunnerJob& job) {
  ConfinementLimits limits;
  limits.memory_bytes = job.memory_bytes();
  limits.file_bytes = job.file_bytes();
  limits.cpu_seconds = job.cpu_seconds();
  return limits;
}

}  // namespace

double JudgedJob::Deadline() const {
  return job->wall_seconds() > 0 ? start + job->wall_seconds() : std::numeric_limits<double>::max();
}

MeasuredCandidate::MeasuredCandidate(const JudgedJob& judged, int index)
    : Runnable(judged.sampling), judged_(judged), index_(index) {
  for (int set = 0; set < judged.arrays->fresh_sets(); ++set) {
    fresh_runs_after_.push_back(Unforeseeable(judged.sampling.min_samples()));
  }
  std::sort(fresh_runs_after_.begin(), fresh_runs_after_.end());
}

void MeasuredCandidate::Fail(v1::Outcome outcome, std::string message) {
  verdict_.set_outcome(outcome);
  verdict_.set_message(std::move(message));
}

void MeasuredCandidate::TellEnd(bool timed_out) {
  verdict_.clear_outcome();
  v1::CandidateEnd& end = *verdict_.mutable_end();
  end.set_phase(phase_);
  end.set_timed_out(timed_out);
  end.set_wall_seconds(MonotonicSeconds() - judged_.start);
  const int status = process_->wait_status();
  if (WIFSIGNALED(status)) end.set_signal(WTERMSIG(status));
  if (WIFEXITED(status)) end.set_exit_code(WEXITSTATUS(status));
  const FaultReport fault = process_->fault();
  if (fault.signal == 0) return;
  end.set_fault_error_number(fault.error_number);
  end.set_stack_overflow(fault.stack_overflow != 0);
  if (fault.array >= 0 && fault.array < judged_.job->arrays_size()) end.set_array_plus_one(fault.array + 1);
  end.set_array_offset(fault.array_offset);
}

bool MeasuredCandidate::Ask(Deed deed, const char* phase) {
  phase_ = phase;
  if (resting_) process_->Continue();
  resting_ = false;
  const CandidateProcess::Answer answer = process_->Ask(deed, judged_.Deadline());
  if (answer != CandidateProcess::Answer::kDone) TellEnd(answer == CandidateProcess::Answer::kOutOfTime);
  return answer == CandidateProcess::Answer::kDone;
}

absl::StatusOr<SampleBounds> MeasuredCandidate::MeasureTurns(double deadline) {
  std::vector<TurnTime> turns;
  const double start = MonotonicSeconds();
  while (turns.size() < kLeastTurns ||
         (turns.size() < kMostTurns && MonotonicSeconds() - start < kSecondsOfTurns)) {
    if (process_->Ask(Deed::kRun, deadline) != CandidateProcess::Answer::kDone) {
      return absl::InternalError(
          "a process for a candidate ended, or took too long, before it had loaded it");
    }
    turns.push_back(process_->last_turn());
  }
  return SampleBounds(turns);
}

void MeasuredCandidate::Load() {
  if (!Ask(Deed::kLoad, "loading")) return;
  verdict_.set_outcome(v1::CORRECT);
  if (!process_->loaded()) {
    Fail(v1::RUNTIME, absl::StrCat("cannot load the candidate: ", process_->trouble()));
  }
}

absl::Status MeasuredCandidate::RunFirst() {
  CandidateHostSettings settings;
  settings.library = judged_.job->candidates(index_).library();
  settings.limits = LimitsOf(*judged_.job);
  settings.processors = judged_.processors;
  const double ready_by = std::max(judged_.Deadline(), MonotonicSeconds() + kPreparationSeconds);
  TUNE_ASSIGN_OR_RETURN(process_, CandidateProcess::Start(settings, judged_.arrays, ready_by));
  TUNE_ASSIGN_OR_RETURN(bounds_, MeasureTurns(ready_by));
  Load();
  if (!alive()) return absl::OkStatus();
  phase_ = "its first run";
  const std::optional<double> seconds = Run();
  if (!seconds.has_value()) return absl::OkStatus();
  verdict_.set_first_seconds(*seconds);
  set_run_seconds(*seconds);
  return absl::OkStatus();
}

std::optional<double> MeasuredCandidate::Run() {
  const bool first = verdict_.first_seconds() == 0;
  if (!Ask(Deed::kRun, first ? "its first run" : "a timed run")) return std::nullopt;
  const std::optional<double> seconds = bounds_->Accept(process_->last_turn());
  if (!seconds.has_value()) {
    Fail(v1::RUNTIME, absl::StrFormat("its process told of %g s for a run", process_->last_turn().told));
  }
  return seconds;
}

void MeasuredCandidate::Rest() {
  if (process_ == nullptr || resting_ || verdict_.has_end()) return;
  resting_ = process_->Stop();
  if (!resting_ && alive()) TellEnd(false);
}

absl::Status MeasuredCandidate::CheckOutputs() {
  phase_ = "the check of its outputs";
  Rest();
  if (!alive()) return absl::OkStatus();
  if (const std::string array = judged_.arrays->OverrunArray(); !array.empty()) {
    Fail(v1::RUNTIME, absl::StrCat("wrote behind the end of array ", array));
  } else {
    JudgeOutputs(judged_.arrays->Check(judged_.tolerance), &verdict_);
  }
  return absl::OkStatus();
}

double MeasuredCandidate::significant_seconds() const { return kFirstRunSignificant; }

bool MeasuredCandidate::FreshRunDue(int samples) const {
  return FreshRunLeft() && fresh_runs_after_[fresh_runs_] <= samples;
}

absl::Status MeasuredCandidate::RunOnFreshInputs() {
  const int set = fresh_runs_++;
  const double start = MonotonicSeconds();
  judged_.arrays->GiveFresh(set);
  const double writing = MonotonicSeconds() - start;
  if (Ask(Deed::kRunOnPresent, "a timed run")) JudgeFreshRun(set, writing);
  return absl::OkStatus();
}

void MeasuredCandidate::JudgeFreshRun(int set, double writing) {
  const TurnTime turn = process_->last_turn();
  Rest();
  if (!alive()) return;
  v1::RunnerVerdict on_fresh;
  on_fresh.set_outcome(v1::CORRECT);
  JudgeOutputs(judged_.arrays->CheckFresh(set, judged_.tolerance), &on_fresh);
  judged_.arrays->RestoreAll();
  if (on_fresh.outcome() != v1::CORRECT) {
    return Fail(on_fresh.outcome(), absl::StrCat("on inputs that it had not seen: ", on_fresh.message()));
  }
  const double least = bounds_->LeastByFreshRun(turn, writing);
  least_seconds_ = set == 0 ? least : std::min(least, least_seconds_);
  if (first_seconds() < kOutlastsCaches) Run();
}

v1::RunnerVerdict MeasuredCandidate::Verdict() const {
  v1::RunnerVerdict verdict = verdict_;
  for (const double sample : rule().samples()) verdict.add_samples(std::max(sample, least_seconds_));
  return verdict;
}

}  // namespace tune
