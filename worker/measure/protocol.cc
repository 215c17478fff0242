#include "worker/measure/protocol.h"

#include <algorithm>
#include <utility>

namespace tune {
namespace {

// Samples taken between two looks at what disturbs them.
constexpr double kBatchSeconds = 5e-3;
constexpr int kLargestBatch = 6;
// A run of so many seconds does not depend on what was in the caches before.
constexpr double kOutlastsCaches = 0.1;

bool CutShort(Runnable& runnable) {
  std::string reason =
      runnable.rule().HopelessReason(runnable.first_seconds(), runnable.significant_seconds());
  if (reason.empty()) return false;
  runnable.Fail(v1::TIMEOUT, std::move(reason));
  return true;
}

// The first run of who had no other counts as its one sample, if it was long.
void JudgeByFirstRun(Runnable& runnable, const Surroundings& surroundings) {
  if (!runnable.alive() || !runnable.rule().samples().empty()) return;
  if (runnable.first_seconds() >= kOutlastsCaches) {
    runnable.rule().Add(runnable.first_seconds());
  } else {
    runnable.Fail(v1::TIMEOUT, surroundings.TimeIsOver());
  }
}

int SampleCount(const Runnable& runnable) { return static_cast<int>(runnable.rule().samples().size()); }

absl::Status RunOnFreshInputsIfDue(Runnable& runnable, const Surroundings& surroundings) {
  if (!runnable.FreshRunLeft() || !runnable.FreshRunDue(SampleCount(runnable)) ||
      !surroundings.TimeFor(2 * runnable.run_seconds()))
    return absl::OkStatus();
  return runnable.RunOnFreshInputs();
}

absl::Status RunOnFreshInputsLeft(Runnable& runnable, const Surroundings& surroundings) {
  while (!surroundings.Over() && runnable.FreshRunLeft() && surroundings.TimeFor(runnable.run_seconds()))
    TUNE_RETURN_IF_ERROR(runnable.RunOnFreshInputs());
  return absl::OkStatus();
}

// At most `size` samples, none where the candidate ended. A fresh run that comes due ends the batch.
absl::StatusOr<std::vector<double>> TakeBatch(Runnable& runnable, int size) {
  std::vector<double> samples;
  const int before = SampleCount(runnable);
  for (int i = 0; i < size && (i == 0 || !runnable.FreshRunDue(before + i)); ++i) {
    TUNE_ASSIGN_OR_RETURN(const std::optional<double> seconds, runnable.TimedRun());
    if (!seconds.has_value()) return std::vector<double>();
    samples.push_back(*seconds);
  }
  return samples;
}

int NextBatch(const Runnable& runnable, double last_seconds, const v1::Sampling& sampling) {
  const int missing = sampling.min_samples() - SampleCount(runnable);
  const int left = sampling.max_samples() - SampleCount(runnable);
  const int fitting = static_cast<int>(kBatchSeconds / std::max(last_seconds, 1e-6));
  const int wanted = missing > 0 ? missing : kLargestBatch / 2;
  return std::max(1, std::min({wanted, left, fitting, kLargestBatch}));
}

// One sample of each candidate.
struct Round {
  std::vector<std::pair<Runnable*, double>> samples;
  bool complete = true;  // there was time for all
};

// A run without timing goes before each timed one, unless it is long: it leaves caches and threads as the
// candidate's own runs leave them, not as its neighbour's. Nothing when it ended the candidate.
absl::StatusOr<std::optional<double>> TakeTurn(Runnable& runnable, const Surroundings& surroundings) {
  TUNE_RETURN_IF_ERROR(RunOnFreshInputsIfDue(runnable, surroundings));
  if (surroundings.Over() || !runnable.alive()) return std::nullopt;
  const double start = surroundings.Now();
  TUNE_ASSIGN_OR_RETURN(std::optional<double> seconds, runnable.TimedRun());
  const bool again = seconds.has_value() && *seconds < kOutlastsCaches;
  if (again) {
    TUNE_ASSIGN_OR_RETURN(seconds, runnable.TimedRun());
  }
  runnable.set_run_seconds((surroundings.Now() - start) / (again ? 2 : 1));
  return seconds;
}

absl::StatusOr<Round> TakeRound(const std::vector<Runnable*>& runnables, const Surroundings& surroundings) {
  Round round;
  for (Runnable* const runnable : runnables) {
    if (surroundings.Over()) return round;
    if (!runnable->alive()) continue;
    if (!surroundings.TimeFor(2 * runnable->run_seconds())) {
      round.complete = false;
      return round;
    }
    TUNE_ASSIGN_OR_RETURN(const std::optional<double> seconds, TakeTurn(*runnable, surroundings));
    if (seconds.has_value()) round.samples.emplace_back(runnable, *seconds);
    runnable->Rest();
  }
  return round;
}

}  // namespace

absl::Status MeasureAlone(Runnable& runnable, Surroundings& surroundings, const v1::Sampling& sampling) {
  if (!runnable.alive() || CutShort(runnable)) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(surroundings.Prepare());
  const double start = surroundings.Now();
  int batch = 1;
  while (surroundings.TimeFor(runnable.run_seconds()) &&
         (runnable.rule().samples().empty() ||
          (!runnable.rule().Satisfied() && surroundings.Now() - start < sampling.max_seconds()))) {
    TUNE_RETURN_IF_ERROR(RunOnFreshInputsIfDue(runnable, surroundings));
    if (!runnable.alive()) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const std::vector<double> samples, TakeBatch(runnable, batch));
    if (!runnable.alive()) return absl::OkStatus();
    if (surroundings.Disturbed()) continue;
    for (const double seconds : samples) runnable.rule().Add(seconds);
    if (CutShort(runnable)) return absl::OkStatus();
    batch = NextBatch(runnable, samples.back(), sampling);
  }
  JudgeByFirstRun(runnable, surroundings);
  return absl::OkStatus();
}

absl::Status CheckAgain(Runnable& runnable, Surroundings& surroundings) {
  if (surroundings.Over() || !runnable.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(runnable.CheckOutputs());
  return RunOnFreshInputsLeft(runnable, surroundings);
}

absl::Status MeasureInTurns(const std::vector<Runnable*>& runnables, Surroundings& surroundings,
                            const v1::Sampling& sampling) {
  TUNE_RETURN_IF_ERROR(surroundings.Prepare());
  const double start = surroundings.Now();
  bool satisfied = false, first = true;
  while (!satisfied) {
    TUNE_ASSIGN_OR_RETURN(const Round round, TakeRound(runnables, surroundings));
    if (surroundings.Over()) return absl::OkStatus();
    if (!round.complete && !first) break;
    if (round.complete && surroundings.Disturbed()) continue;
    first = false;
    satisfied = true;
    for (const auto& [runnable, seconds] : round.samples) {
      runnable->rule().Add(seconds);
      satisfied = satisfied && runnable->rule().Satisfied();
    }
    if (!round.complete || surroundings.Now() - start >= sampling.max_seconds()) break;
  }
  for (Runnable* const runnable : runnables) {
    TUNE_RETURN_IF_ERROR(RunOnFreshInputsLeft(*runnable, surroundings));
    if (surroundings.Over()) return absl::OkStatus();
    runnable->Rest();
    JudgeByFirstRun(*runnable, surroundings);
  }
  return absl::OkStatus();
}

}  // namespace tune
