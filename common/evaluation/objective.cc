#include "common/evaluation/objective.h"

#include <cmath>

namespace tune {

std::string ObjectiveOf(const v1::SearchOptions& search) {
  return search.objective().empty() ? kTimeObjective : search.objective();
}

bool IsTimeObjective(const v1::SearchOptions& search) { return ObjectiveOf(search) == kTimeObjective; }

double PowerOf(const v1::Measurement& measurement) {
  return measurement.median() > 0 ? measurement.joules() / measurement.median() : 0;
}

double QuantityOf(const std::string& quantity, const v1::Measurement& measurement,
                  const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics) {
  if (quantity == kTimeObjective) return measurement.median();
  if (quantity == "energy") return measurement.joules();
  if (quantity == "power") return PowerOf(measurement);
  if (quantity == "edp") return measurement.joules() * measurement.median();
  for (const v1::MetricValue& metric : metrics)
    if (metric.name() == quantity) return metric.value();
  return 0;
}

std::string UnitOf(const std::string& quantity) {
  if (quantity == kTimeObjective) return "s";
  if (quantity == "energy") return "J";
  if (quantity == "power") return "W";
  return quantity == "edp" ? "J s" : "";
}

double CostOf(const v1::SearchOptions& search, const v1::Measurement& measurement,
              const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics) {
  const double quantity = QuantityOf(ObjectiveOf(search), measurement, metrics);
  if (!std::isfinite(quantity) || quantity <= 0) return 0;
  return search.maximise() ? 1 / quantity : quantity;
}

double CostOf(const v1::SearchOptions& search, const v1::Evaluation& evaluation) {
  if (evaluation.outcome() != v1::CORRECT) return 0;
  return CostOf(search, evaluation.measurement(), evaluation.metrics());
}

void ReplaceTimeByCost(const v1::SearchOptions& search, v1::Evaluation* evaluation) {
  if (IsTimeObjective(search) || evaluation->outcome() != v1::CORRECT) return;
  evaluation->mutable_measurement()->set_median(CostOf(search, *evaluation));
  for (v1::KernelEvaluation& kernel : *evaluation->mutable_kernels()) kernel.set_seconds(0);
}

bool IsLessCost(double a, double b) { return a > 0 && (b <= 0 || a < b); }

double BestCost(const v1::SearchOptions& search, const v1::Study& study) {
  return study.best_index() < 0 ? 0 : CostOf(search, study.best(), study.best_metrics());
}

bool SameObjective(const v1::SearchOptions& a, const v1::SearchOptions& b) {
  return ObjectiveOf(a) == ObjectiveOf(b) && a.maximise() == b.maximise();
}

double BestQuantity(const v1::Study& study) {
  return QuantityOf(ObjectiveOf(study.search()), study.best(), study.best_metrics());
}

double DefaultQuantity(const v1::Study& study) {
  return QuantityOf(ObjectiveOf(study.search()), study.default_measurement(), study.default_metrics());
}

double GainByObjective(const v1::Study& study) {
  if (IsTimeObjective(study.search())) return study.gain_over_default();
  const double base = CostOf(study.search(), study.default_measurement(), study.default_metrics());
  const double best = CostOf(study.search(), study.best(), study.best_metrics());
  return base > 0 && best > 0 ? base / best : 0;
}

}  // namespace tune
