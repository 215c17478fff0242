// One candidate, from its process's begin to its last sample, as the judge sees it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/measure/runnable.h"
#include "worker/run/candidate_process.h"
#include "worker/run/output_check.h"
#include "worker/run/run_arrays.h"
#include "worker/run/sample_bounds.h"

namespace tune {

// What the candidates of a job share; not owned.
struct JudgedJob {
  const v1::RunnerJob* job = nullptr;
  RunArrays* arrays = nullptr;
  OutputTolerance tolerance;
  v1::Sampling sampling;      // filled
  double start = 0;           // of the judge, by MonotonicSeconds
  cpu_set_t processors = {};  // that the judge could use then, for the candidates

  // When the candidate that runs is ended.
  double Deadline() const;
};

// Every step may end the candidate, whose verdict then says so. Between steps its process may run on.
class MeasuredCandidate : public Runnable {
 public:
  // `index`: in the job.
  MeasuredCandidate(const JudgedJob& judged, int index);

  bool alive() const override { return verdict_.outcome() == v1::CORRECT; }
  void Fail(v1::Outcome outcome, std::string message) override;
  // The time of the job is over, and this candidate was running.
  bool out_of_time() const { return verdict_.end().timed_out(); }
  double first_seconds() const override { return verdict_.first_seconds(); }
  double significant_seconds() const override;

  // Makes its process, learns what a turn costs, loads it, and runs it once on the recorded inputs. Errors
  // are not the candidate's fault.
  absl::Status RunFirst();
  absl::StatusOr<std::optional<double>> TimedRun() override { return Run(); }
  // None of the candidate's threads runs meanwhile, nor later until it runs again.
  absl::Status CheckOutputs() override;
  bool FreshRunLeft() const override { return alive() && fresh_runs_ < judged_.arrays->fresh_sets(); }
  bool FreshRunDue(int samples) const override;
  absl::Status RunOnFreshInputs() override;
  void Rest() override;

  // Its samples are what all that was seen allows.
  v1::RunnerVerdict Verdict() const;

 private:
  absl::StatusOr<SampleBounds> MeasureTurns(double deadline);
  void Load();
  std::optional<double> Run();
  // False when it ended the candidate.
  bool Ask(Deed deed, const char* phase);
  // `writing`: seconds that it took to put the inputs there.
  void JudgeFreshRun(int set, double writing);
  void TellEnd(bool timed_out);

  const JudgedJob& judged_;
  const int index_;
  std::unique_ptr<CandidateProcess> process_;
  std::optional<SampleBounds> bounds_;
  v1::RunnerVerdict verdict_;
  const char* phase_ = "its preparation";
  bool resting_ = false;
  std::vector<int> fresh_runs_after_;  // so many samples, in order, by set
  int fresh_runs_ = 0;                 // that were made
  // That a run takes, by all runs on fresh inputs; one alone may have waited for a thread without a
  // processor.
  double least_seconds_ = 0;
};

}  // namespace tune
