#include "worker/run/job_runner.h"

#include <sys/prctl.h>

#include <memory>
#include <vector>

#include "absl/strings/str_format.h"
#include "worker/measure/protocol.h"
#include "worker/run/measured_candidate.h"
#include "worker/run/monotonic_clock.h"
#include "worker/run/run_arrays.h"

namespace tune {
namespace {

class JobRunner : private Surroundings {
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
    for (int i = 0; i < job_.candidates_size() && !Over(); ++i) TUNE_RETURN_IF_ERROR(RunFirst(i));
    if (job_.only_record() || Over()) return Result();
    if (candidates_.size() == 1) {
      TUNE_RETURN_IF_ERROR(MeasureAlone(*candidates_[0], *this, judged_.sampling));
      TUNE_RETURN_IF_ERROR(CheckAgain(*candidates_[0], *this));
    } else {
      std::vector<Runnable*> runnables;
      for (const auto& candidate : candidates_) runnables.push_back(candidate.get());
      TUNE_RETURN_IF_ERROR(MeasureInTurns(runnables, *this, judged_.sampling));
    }
    return Result();
  }

 private:
  absl::Status RunFirst(int index) {
    candidates_.push_back(std::make_unique<MeasuredCandidate>(judged_, index));
    MeasuredCandidate& candidate = *candidates_.back();
    TUNE_RETURN_IF_ERROR(candidate.RunFirst());
    if (candidate.alive()) TUNE_RETURN_IF_ERROR(candidate.CheckOutputs());
    if (candidate.alive() && !job_.record_folder().empty() && index == 0) {
      TUNE_RETURN_IF_ERROR(arrays_.Record(job_.record_folder()));
    }
    if (job_.candidates_size() > 1) candidate.Rest();
    return absl::OkStatus();
  }

  bool Over() const override {
    for (const auto& candidate : candidates_) {
      if (candidate->out_of_time()) return true;
    }
    return false;
  }

  bool TimeFor(double seconds) const override {
    return job_.wall_seconds() <= 0 || Now() - judged_.start + 1.5 * seconds < job_.wall_seconds();
  }

  double Now() const override { return MonotonicSeconds(); }

  std::string TimeIsOver() const override {
    return absl::StrFormat("not measured: the %.3g s for %d candidates were over", job_.wall_seconds(),
                           job_.candidates_size());
  }

  // When time was up, the others may be run again without the one that took it.
  v1::RunnerResult Result() const {
    v1::RunnerResult result;
    const bool out_of_time = Over();
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
