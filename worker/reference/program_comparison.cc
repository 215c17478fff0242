#include "worker/reference/program_comparison.h"

#include <algorithm>

#include "common/evaluation/compared_times.h"
#include "common/evaluation/measurement.h"

namespace tune {
namespace {

constexpr int kFewestPairs = 3;
constexpr int kPairsWithoutDistribution = 6;
constexpr int kMostPairs = 12;
constexpr double kLongSeconds = 20;
constexpr double kShortSeconds = 5;

// Of one program, an entry a run.
struct RunTimes {
  std::vector<double> fresh, warm;
  double wall_seconds = 0;

  absl::Status Add(const InstrumentedProgram& program) {
    std::string log;
    TUNE_ASSIGN_OR_RETURN(const ProgramRun run, program.Run(InstrumentedProgram::Recording::kTimes, &log));
    fresh.push_back(run.reference.sequential_seconds());
    if (!run.later_seconds.empty()) warm.push_back(Median(run.later_seconds));
    wall_seconds += run.wall_seconds;
    return absl::OkStatus();
  }
};

}  // namespace

bool WantsAnotherPair(int pairs, double seconds) {
  if (pairs < kFewestPairs) return true;
  if (pairs >= kMostPairs || seconds >= kLongSeconds) return false;
  return pairs < kPairsWithoutDistribution || seconds < kShortSeconds;
}

absl::Status CompareInTurns(const InstrumentedProgram& original, const InstrumentedProgram& tuned,
                            v1::ProgramCheck* check) {
  RunTimes before, after;
  for (int pair = 0; WantsAnotherPair(pair, before.wall_seconds + after.wall_seconds); ++pair) {
    for (const bool tuned_turn : {pair % 2 == 1, pair % 2 == 0}) {
      if (tuned_turn) {
        TUNE_RETURN_IF_ERROR(after.Add(tuned));
      } else if (const absl::Status status = before.Add(original); !status.ok()) {
        if (absl::IsCancelled(status)) return status;
        check->set_message(absl::StrCat("the times were not compared: in the original ", status.message()));
        return absl::OkStatus();
      }
    }
  }
  *check->mutable_fresh() = CompareTimes(before.fresh, after.fresh);
  const size_t runs = before.fresh.size();
  if (before.warm.size() == runs && after.warm.size() == runs)
    *check->mutable_warm() = CompareTimes(before.warm, after.warm);
  return absl::OkStatus();
}

}  // namespace tune
