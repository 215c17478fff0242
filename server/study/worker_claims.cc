#include "server/study/worker_claims.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/evaluation/measurement.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

constexpr int kMostSamples = 10'000;

bool IsTime(double seconds) { return std::isfinite(seconds) && seconds >= kShortestSeconds; }

double FiniteOrZero(double value) { return std::isfinite(value) && value >= 0 ? value : 0; }

bool AreTimes(const v1::ComparedTimes& times) {
  return times.runs() > 0 && IsTime(times.original_seconds()) && IsTime(times.tuned_seconds()) &&
         IsTime(times.ratio()) && IsTime(times.ratio_low()) && IsTime(times.ratio_high());
}

void CheckProgramClaims(v1::ProgramCheck* check) {
  check->set_seconds(FiniteOrZero(check->seconds()));
  if (check->has_fresh() && !AreTimes(check->fresh())) check->clear_fresh();
  if (check->has_warm() && !AreTimes(check->warm())) check->clear_warm();
}

}  // namespace

v1::Measurement TrustedMeasurement(const v1::Measurement& claimed) {
  const std::vector<double> samples(claimed.samples().begin(), claimed.samples().end());
  if (samples.size() > kMostSamples || !std::all_of(samples.begin(), samples.end(), IsTime)) return {};
  v1::Measurement measurement = MakeMeasurement(samples);
  measurement.set_joules(FiniteOrZero(claimed.joules()));
  return measurement;
}

void CheckClaims(v1::Evaluation* evaluation) {
  const v1::Measurement measurement = TrustedMeasurement(evaluation->measurement());
  if (evaluation->outcome() == v1::OUTCOME_UNSPECIFIED || !v1::Outcome_IsValid(evaluation->outcome())) {
    evaluation->set_outcome(v1::RUNTIME);
    evaluation->set_message("the worker sent no outcome that this server knows");
  } else if (evaluation->outcome() == v1::CORRECT && measurement.samples().empty() &&
             evaluation->duplicate_of_plus_one() == 0) {
    evaluation->set_outcome(v1::RUNTIME);
    evaluation->set_message("the worker called it correct and sent no measurement");
  }
  evaluation->clear_comparison();
  evaluation->clear_metrics();
  evaluation->clear_measurement();
  if (evaluation->outcome() == v1::CORRECT) *evaluation->mutable_measurement() = measurement;
  for (v1::KernelEvaluation& kernel : *evaluation->mutable_kernels()) {
    kernel.set_seconds(FiniteOrZero(kernel.seconds()));
    for (v1::Metric& metric : *kernel.mutable_metrics()) {
      metric.set_value(FiniteOrZero(metric.value()));
      metric.set_normalised(std::min(FiniteOrZero(metric.normalised()), 1.0));
    }
  }
}

void CheckClaims(v1::Confirmation* confirmation) {
  for (v1::ConfirmedCandidate& candidate : *confirmation->mutable_candidates()) {
    if (!candidate.has_measurement()) continue;
    *candidate.mutable_measurement() = TrustedMeasurement(candidate.measurement());
    if (candidate.measurement().samples().empty()) {
      candidate.clear_measurement();
      if (candidate.message().empty()) candidate.set_message("the worker sent times that are none");
    }
  }
  if (confirmation->has_sequential()) {
    *confirmation->mutable_sequential() = TrustedMeasurement(confirmation->sequential());
    if (confirmation->sequential().samples().empty()) confirmation->clear_sequential();
  }
  if (confirmation->has_check()) CheckProgramClaims(confirmation->mutable_check());
}

}  // namespace tune
