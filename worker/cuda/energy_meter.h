// What a run of the region uses of energy.
#pragma once

#include <memory>
#include <string>

#include "worker/cuda/energy_counter.h"
#include "worker/cuda/region_run.h"

namespace tune {

// Asks for the device's energy counter when it is first needed.
class EnergyMeter {
 public:
  // The least time that a measurement takes, in seconds.
  static constexpr double kSeconds = 4;

  explicit EnergyMeter(const DeviceSession& session) : session_(&session) {}

  // *joules: what timed runs use beyond what restoring the arrays before them uses, per run; 0 where it is
  // not known, and *note says why in a line. Every run is on the recorded inputs. The result's kind says how
  // the last run ended.
  absl::StatusOr<RegionRunEnd> Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                       RegionRun& run, double* joules, std::string* note);

 private:
  using Step = std::function<absl::StatusOr<RegionRunEnd>()>;
  // Of one step; nothing where a step did not end well, as *end tells, or the counter does not tell, as *note
  // does.
  absl::StatusOr<std::optional<double>> JoulesOf(const Step& step, RegionRunEnd* end, std::string* note);

  const DeviceSession* session_;
  std::unique_ptr<EnergyCounter> counter_;
  std::string refused_;  // why there is none
};

}  // namespace tune
