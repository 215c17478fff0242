#include "common/evaluation/study_result.h"

#include <optional>

#include "common/evaluation/compared_times.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"

namespace tune {
namespace {

// In the user's program, in turns with the original.
bool WasCompared(const v1::Study& study) {
  const v1::ProgramCheck& check = study.confirmation().check();
  return check.outcome() == v1::CORRECT && check.has_fresh();
}

// The region by itself: the ratio's range is what the intervals of both allow.
std::optional<v1::ComparedTimes> RegionTimes(const v1::Study& study) {
  const v1::Measurement& sequential = study.confirmation().sequential();
  const v1::Measurement* best = BestMeasurement(study);
  if (best == nullptr || sequential.confidence_low() <= 0 || best->confidence_low() <= 0) return std::nullopt;
  v1::ComparedTimes times;
  times.set_original_seconds(sequential.median());
  times.set_tuned_seconds(best->median());
  times.set_ratio(sequential.median() / best->median());
  times.set_ratio_low(sequential.confidence_low() / best->confidence_high());
  times.set_ratio_high(sequential.confidence_high() / best->confidence_low());
  return times;
}

}  // namespace

const v1::Measurement* BestMeasurement(const v1::Study& study) {
  if (study.best_index() < 0) return nullptr;
  for (const v1::ConfirmedCandidate& candidate : study.confirmation().candidates()) {
    if (candidate.index() == study.best_index() && candidate.measurement().median() > 0) {
      return &candidate.measurement();
    }
  }
  return study.best().median() > 0 ? &study.best() : nullptr;
}

ResultTimes TimesOfResult(const v1::Study& study) {
  ResultTimes result;
  const v1::ProgramCheck& check = study.confirmation().check();
  if (WasCompared(study)) {
    result.compared = ProgramTimes(check);
    result.in_program = true;
    result.later = check.has_warm();
  } else if (const auto region = RegionTimes(study); region.has_value() && !HasFailedInProgram(study)) {
    result.compared = *region;
  }
  if (!IsTimedOnDevice(study)) return result;
  result.host = result.compared.original_seconds();
  if (const v1::Measurement* best = BestMeasurement(study)) result.device = best->median();
  if (result.in_program) result.device_with_copies = result.compared.tuned_seconds();
  return result;
}

bool IsTimedOnDevice(const v1::Study& study) {
  return study.device().target() == v1::CUDA && study.generator() != kSharedGenerator;
}

bool HasFailedInProgram(const v1::Study& study) {
  const v1::Outcome outcome = study.confirmation().check().outcome();
  return outcome != v1::OUTCOME_UNSPECIFIED && outcome != v1::CORRECT;
}

bool IsNotFaster(const v1::Study& study) {
  if (HasFailedInProgram(study)) return true;
  if (WasCompared(study)) {
    const v1::ProgramCheck& check = study.confirmation().check();
    return !IsFaster(check.fresh()) && !(check.has_warm() && IsFaster(check.warm()));
  }
  const auto region = RegionTimes(study);
  return region.has_value() && !IsFaster(*region);
}

bool IsNoGain(const v1::Study& study) {
  if (IsTimeObjective(study.search())) return IsNotFaster(study);
  return HasFailedInProgram(study) || (study.best_index() >= 0 && BestCost(study.search(), study) == 0);
}

bool IsOfKernels(const v1::Study& study) {
  return !study.region().file().empty() && study.region().end_line() == 0;
}

}  // namespace tune
