#include "worker/run/job_runner.h"

#include <sys/prctl.h>

#include <memory>
#include <vector>

#include "worker/run/measured_candidate.h"
#include "worker/run/monotonic_clock.h"
#include "worker/run/run_arrays.h"

namespace tune {
namespace {

class JobRunner {
 public:
  JobRunner(const v1::RunnerJob& job, RunArrays arrays, double start)
      : job_(job), arrays_(std::move(arrays)) {
    judged_.job = &job_;
    judged_.arrays = &arrays_;
    judged_.tolerance.float_relative = job.float_relative();
    judged_.tolerance.double_relative = job.double_relative();
    judged_.sampling = FillSampling(job.sampling());
    judged_.start = start;
    sched_getaffinity(0, sizeof judged_.processors, &judged_.processors);
  }

  absl::StatusOr<v1::RunnerResult> Run() {
    for (int i = 0; i < job_.candidates_size() && !OutOfTime(); ++i) TUNE_RETURN_IF_ERROR(RunFirst(i));
    if (job_.only_record() || OutOfTime()) return Result();
    if (candidates_.size() == 1) {
      MeasureAlone(*candidates_[0]);
    } else {
      MeasureInTurns();
    }
    return Result();
  }

 private:
  absl::Status RunFirst(int index) {
    candidates_.push_back(std::make_unique<MeasuredCandidate>(judged_, index));
    MeasuredCandidate& candidate = *candidates_.back();
    TUNE_RETURN_IF_ERROR(candidate.RunFirst());
    if (candidate.alive()) candidate.CheckOutputs();
    if (candidate.alive() && !job_.record_folder().empty() && index == 0) {
      TUNE_RETURN_IF_ERROR(arrays_.Record(job_.record_folder()));
    }
    if (job_.candidates_size() > 1) candidate.Rest();
    return absl::OkStatus();
  }

  bool OutOfTime() const {
    for (const auto& candidate : candidates_) {
      if (candidate->out_of_time()) return true;
    }
    return false;
  }

  // Whether runs that took `seconds` before would end, with a margin, before the time of the job is over.
  bool TimeFor(double seconds) const {
    return job_.wall_seconds() <= 0 ||
           MonotonicSeconds() - judged_.start + 1.5 * seconds < job_.wall_seconds();
  }

  void MeasureAlone(MeasuredCandidate& candidate) {
    if (!candidate.alive() || candidate.CutShort()) return;
    const double first = candidate.first_seconds();
    // So long that it counts as the one sample.
    if (!TimeFor(first)) return candidate.AddFirstAsSample();
    const double start = MonotonicSeconds();
    do {
      if (candidate.FreshRunDue() && TimeFor(2 * first)) candidate.RunOnFreshInputs();
      if (candidate.alive()) candidate.Sample();
      if (!candidate.alive() || candidate.CutShort()) return;
    } while (!candidate.rule().Satisfied() && MonotonicSeconds() - start < judged_.sampling.max_seconds() &&
             TimeFor(first));
    // A race shows in some runs only, so the last one is checked too.
    candidate.CheckOutputs();
    while (candidate.FreshRunsLeft() && TimeFor(first)) candidate.RunOnFreshInputs();
  }

  // Rounds of one sample for each candidate. A run without timing goes before each timed one: it leaves
  // caches and threads as the candidate's own runs leave them, not as its neighbour's. Who has no turn is at
  // rest.
  void MeasureInTurns() {
    const double start = MonotonicSeconds();
    double round = 0;
    for (const auto& candidate : candidates_) {
      if (candidate->alive()) round += 2 * candidate->first_seconds();
    }
    bool first = true, satisfied = false;
    while (!satisfied && !OutOfTime() && (first || TimeFor(round))) {
      first = false;
      satisfied = true;
      for (const auto& candidate : candidates_) {
        if (candidate->alive()) TakeTurn(*candidate, round);
        if (candidate->alive() && !candidate->rule().Satisfied()) satisfied = false;
      }
      if (MonotonicSeconds() - start >= judged_.sampling.max_seconds()) break;
    }
    for (const auto& candidate : candidates_) {
      while (candidate->FreshRunsLeft() && TimeFor(candidate->first_seconds())) candidate->RunOnFreshInputs();
      if (candidate->alive()) candidate->Rest();
    }
  }

  void TakeTurn(MeasuredCandidate& candidate, double round) {
    if (candidate.FreshRunDue() && TimeFor(round + candidate.first_seconds())) candidate.RunOnFreshInputs();
    if (candidate.alive()) candidate.Run();
    if (candidate.alive()) candidate.Sample();
    candidate.Rest();
  }

  // When time was up, the others may be run again without the one that took it.
  v1::RunnerResult Result() const {
    v1::RunnerResult result;
    const bool out_of_time = OutOfTime();
    for (int i = 0; i < job_.candidates_size(); ++i) {
      v1::RunnerVerdict* const verdict = result.add_verdicts();
      if (i >= static_cast<int>(candidates_.size())) continue;
      if (!out_of_time || !candidates_[i]->alive()) *verdict = candidates_[i]->Verdict();
    }
    return result;
  }

  const v1::RunnerJob& job_;
  RunArrays arrays_;
  JudgedJob judged_;
  std::vector<std::unique_ptr<MeasuredCandidate>> candidates_;
};

}  // namespace

absl::StatusOr<v1::RunnerResult> RunJob(const v1::RunnerJob& job) {
  const double start = MonotonicSeconds();
  // Nor do the candidates look into each other: what they inherit is not dumpable either.
  prctl(PR_SET_DUMPABLE, 0);
  TUNE_ASSIGN_OR_RETURN(RunArrays arrays, RunArrays::Load(job));
  return JobRunner(job, std::move(arrays), start).Run();
}

}  // namespace tune
