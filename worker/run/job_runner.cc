#include "worker/run/job_runner.h"

#include <dlfcn.h>
#include <time.h>

#include <cerrno>
#include <vector>

#include "common/base/file.h"
#include "worker/measure/stopping_rule.h"
#include "worker/run/confinement.h"
#include "worker/run/run_arrays.h"
#include "worker/run/run_report.h"

namespace tune {
namespace {

using RegionFunction = void (*)(void**);

// A first run this long is not slow because of page faults and thread start.
constexpr double kFirstRunSignificant = 0.5;

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

// One candidate of the job, from loading to its last sample.
struct Runnable {
  RegionFunction region = nullptr;
  StoppingRule rule;
  v1::RunnerVerdict verdict;

  bool alive() const { return verdict.outcome() == v1::CORRECT; }
};

class JobRunner {
 public:
  JobRunner(const v1::RunnerJob& job, RunArrays arrays, volatile RunReport* report, double start)
      : job_(job),
        sampling_(FillSampling(job.sampling())),
        start_(start),
        arrays_(std::move(arrays)),
        report_(report) {
    tolerance_.float_relative = job.float_relative();
    tolerance_.double_relative = job.double_relative();
  }

  absl::Status Run() {
    for (int i = 0; i < job_.candidates_size(); ++i) {
      runnables_.push_back(Runnable{nullptr, StoppingRule(sampling_), {}});
      LoadAndCheck(i);
      if (!record_status_.ok()) return record_status_;
    }
    if (runnables_.size() == 1) {
      MeasureAlone();
    } else {
      MeasureInTurns();
    }
    Enter(RunPhase::kDone, 0);
    return WriteResult();
  }

 private:
  void Enter(RunPhase phase, int candidate) {
    report_->candidate = candidate;
    report_->phase = phase;
  }

  static void Fail(Runnable& runnable, v1::Outcome outcome, std::string message) {
    runnable.verdict.set_outcome(outcome);
    runnable.verdict.set_message(std::move(message));
  }

  // Seconds of one run on restored arrays.
  double TimedRun(const Runnable& runnable) {
    arrays_.Restore();
    errno = 0;  // so that a crash can be told from the consequence of a failed allocation
    const double start = Now();
    runnable.region(arrays_.pointers());
    return Now() - start;
  }

  void LoadAndCheck(int index) {
    Runnable& runnable = runnables_[index];
    Enter(RunPhase::kLoading, index);
    void* library = dlopen(job_.candidates(index).library().c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, "tune_region");
    if (symbol == nullptr) {
      const char* reason = dlerror();
      return Fail(runnable, v1::RUNTIME,
                  absl::StrCat("cannot load the candidate: ", reason != nullptr ? reason : "?"));
    }
    runnable.region = reinterpret_cast<RegionFunction>(symbol);
    Enter(RunPhase::kFirstRun, index);
    runnable.verdict.set_first_seconds(TimedRun(runnable));
    runnable.verdict.set_outcome(v1::CORRECT);
    if (!job_.record_folder().empty() && index == 0) record_status_ = arrays_.Record(job_.record_folder());
    CheckOutputs(index);
  }

  // Compares what the last run left with the reference.
  void CheckOutputs(int index) {
    Enter(RunPhase::kChecking, index);
    Runnable& runnable = runnables_[index];
    if (const std::string array = arrays_.OverrunArray(); !array.empty()) {
      return Fail(runnable, v1::RUNTIME, absl::StrCat("wrote behind the end of array ", array));
    }
    JudgeOutputs(arrays_.Check(tolerance_), &runnable.verdict);
  }

  // True when the candidate is out of the race; its verdict then says so.
  bool CutShort(Runnable& runnable) {
    std::string reason = runnable.rule.HopelessReason(runnable.verdict.first_seconds(), kFirstRunSignificant);
    if (reason.empty()) return false;
    Fail(runnable, v1::TIMEOUT, std::move(reason));
    return true;
  }

  // Whether runs that took `seconds` before would end, with a margin, before the worker ends this process.
  bool TimeFor(double seconds) const {
    return job_.wall_seconds() <= 0 || Now() - start_ + 1.5 * seconds < job_.wall_seconds();
  }

  void MeasureAlone() {
    Runnable& runnable = runnables_[0];
    if (!runnable.alive() || CutShort(runnable)) return;
    const double first = runnable.verdict.first_seconds();
    if (!TimeFor(first)) return runnable.rule.Add(first);  // so long that it counts as the one sample
    Enter(RunPhase::kSampling, 0);
    const double start = Now();
    do {
      runnable.rule.Add(TimedRun(runnable));
      if (CutShort(runnable)) break;
    } while (!runnable.rule.Satisfied() && Now() - start < sampling_.max_seconds() && TimeFor(first));
    // A race shows in some runs only, so the last one is checked too.
    if (runnable.alive()) CheckOutputs(0);
  }

  // Rounds of one sample for each candidate. A run without timing goes before each timed one: it leaves
  // caches and threads as the candidate's own runs leave them, not as its neighbour's.
  void MeasureInTurns() {
    const double start = Now();
    double round = 0;
    for (const Runnable& runnable : runnables_) {
      if (runnable.alive()) round += 2 * runnable.verdict.first_seconds();
    }
    bool first = true, satisfied = false;
    while (!satisfied && (first || TimeFor(round))) {
      first = false;
      satisfied = true;
      for (size_t i = 0; i < runnables_.size(); ++i) {
        Runnable& runnable = runnables_[i];
        if (!runnable.alive()) continue;
        Enter(RunPhase::kSampling, static_cast<int>(i));
        TimedRun(runnable);
        runnable.rule.Add(TimedRun(runnable));
        if (!runnable.rule.Satisfied()) satisfied = false;
      }
      if (Now() - start >= sampling_.max_seconds()) break;
    }
  }

  absl::Status WriteResult() {
    v1::RunnerResult result;
    for (const Runnable& runnable : runnables_) {
      v1::RunnerVerdict* verdict = result.add_verdicts();
      *verdict = runnable.verdict;
      verdict->mutable_samples()->Add(runnable.rule.samples().begin(), runnable.rule.samples().end());
    }
    result.set_complete(true);
    return WriteFile(job_.result_file(), result.SerializeAsString());
  }

  const v1::RunnerJob& job_;
  const v1::Sampling sampling_;
  const double start_;  // of the process, nearly
  RunArrays arrays_;
  volatile RunReport* report_;
  OutputTolerance tolerance_;
  std::vector<Runnable> runnables_;
  absl::Status record_status_;
};

}  // namespace

absl::Status RunJob(const v1::RunnerJob& job) {
  const double start = Now();
  TUNE_ASSIGN_OR_RETURN(SharedRunReport report, SharedRunReport::Open(job.report_file()));
  TUNE_ASSIGN_OR_RETURN(RunArrays arrays, RunArrays::Load(job));
  RaiseStackLimit();
  TUNE_RETURN_IF_ERROR(ReportFatalSignals(report.get(), arrays.Ranges()));
  ConfinementLimits limits;
  limits.memory_bytes = job.memory_bytes();
  limits.file_bytes = job.file_bytes();
  limits.cpu_seconds = job.cpu_seconds();
  TUNE_RETURN_IF_ERROR(ConfineThisProcess(limits));
  return JobRunner(job, std::move(arrays), report.get(), start).Run();
}

}  // namespace tune
