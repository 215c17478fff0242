#include "worker/cuda/energy_meter.h"

#include "absl/strings/str_cat.h"
#include "worker/cuda/energy_window.h"
#include "worker/run/monotonic_clock.h"

namespace tune {

absl::StatusOr<RegionRunEnd> EnergyMeter::Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                                  RegionRun& run, double* joules, std::string* note) {
  *joules = 0;
  RegionRunEnd end;
  if (counter_ == nullptr && refused_.empty()) {
    absl::StatusOr<std::unique_ptr<EnergyCounter>> counter =
        MakeEnergyCounter(session_->uuid(), MonotonicSeconds);
    if (counter.ok()) {
      counter_ = *std::move(counter);
    } else {
      refused_ = absl::StrCat("energy is not measured: ", counter.status().message());
    }
  }
  *note = refused_;
  if (counter_ == nullptr) return end;
  TUNE_ASSIGN_OR_RETURN(const std::optional<double> whole,
                        JoulesOf([&] { return run.Timed(candidate, memory); }, &end, note));
  if (!whole.has_value()) return end;
  TUNE_ASSIGN_OR_RETURN(const std::optional<double> restoring,
                        JoulesOf([&] { return run.RestoreAlone(candidate, memory); }, &end, note));
  if (!restoring.has_value()) return end;
  if (*whole > *restoring) {
    *joules = *whole - *restoring;
  } else {
    *note = "energy is not known of a candidate whose run uses less than the restoring of its arrays";
  }
  return end;
}

absl::StatusOr<std::optional<double>> EnergyMeter::JoulesOf(const Step& step, RegionRunEnd* end,
                                                            std::string* note) {
  absl::Status broken;
  const absl::StatusOr<EnergyWindow> window =
      MeasureEnergy(*counter_, MonotonicSeconds, [&]() -> absl::StatusOr<bool> {
        absl::StatusOr<RegionRunEnd> stepped = step();
        broken = stepped.status();
        if (!stepped.ok()) return broken;
        *end = *std::move(stepped);
        return end->kind == RegionRunEnd::Kind::kDone;
      });
  TUNE_RETURN_IF_ERROR(broken);
  if (!window.ok()) *note = absl::StrCat("energy is not measured: ", window.status().message());
  if (!window.ok() || window->ended) return std::optional<double>();
  return std::optional<double>(window->joules);
}

}  // namespace tune
