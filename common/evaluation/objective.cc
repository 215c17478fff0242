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
