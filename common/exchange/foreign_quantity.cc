#include "common/exchange/foreign_quantity.h"

#include <cmath>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/evaluation/objective.h"

namespace tune {
namespace {

// Without the prefix of the observer that measured it: NVML, a power sensor, the power measurement toolkit.
std::string OwnName(const std::string& name) {
  absl::string_view own = name;
  for (const char* prefix : {"nvml_", "ps_", "pmt_"}) {
    if (absl::ConsumePrefix(&own, prefix)) break;
  }
  const bool measured = own == "energy" || own == "power";
  return measured ? std::string(own) : name;
}

// Of which Kernel Tuner takes more to be better.
bool IsRate(const std::string& name) {
  static const auto* const rates = new std::set<std::string>{
      "GFLOP/s", "TFLOP/s", "GB/s", "TB/s", "GFLOPS/W", "TFLOPS/W", "GFLOP/J", "TFLOP/J", "fitness"};
  return rates->count(name) > 0;
}

bool IsMadeSmall(const std::string& name) {
  return name == kTimeObjective || !UnitOf(name).empty() || name == "cost" || name == "loss";
}

}  // namespace

std::vector<NamedQuantity> QuantitiesOf(const v1::Evaluation& evaluation) {
  std::vector<NamedQuantity> quantities;
  for (const char* name : {"energy", "power", "edp"}) {
    const double value = QuantityOf(name, evaluation.measurement(), {});
    if (value > 0) quantities.push_back({name, UnitOf(name), value});
  }
  for (const v1::MetricValue& metric : evaluation.metrics())
    quantities.push_back({metric.name(), "", metric.value()});
  return quantities;
}

std::string KernelTunerQuantity(const std::string& name) {
  return name == "energy" || name == "power" ? absl::StrCat("nvml_", name) : name;
}

void AddQuantity(const std::string& name, double value, v1::Evaluation* evaluation) {
  if (!std::isfinite(value)) return;
  const std::string own = OwnName(name);
  v1::Measurement* const measurement = evaluation->mutable_measurement();
  if (own == "energy") {
    if (value > 0) measurement->set_joules(value);
  } else if (own == "power") {
    if (value > 0 && measurement->joules() == 0) measurement->set_joules(value * measurement->median());
  } else if (own != kTimeObjective && own != "edp") {
    v1::MetricValue* const metric = evaluation->add_metrics();
    metric->set_name(own);
    metric->set_value(value);
  }
}

v1::SearchOptions ObjectiveNamed(const std::string& name, std::optional<bool> maximise) {
  v1::SearchOptions search;
  const std::string objective = OwnName(name);
  if (objective.empty() || objective == kTimeObjective) return search;
  search.set_objective(objective);
  search.set_maximise(maximise.value_or(IsRate(objective)));
  return search;
}

void SetObjective(const std::string& name, std::optional<bool> maximise, v1::Study* study) {
  const v1::SearchOptions named = ObjectiveNamed(name, maximise);
  if (IsTimeObjective(named)) return;
  study->mutable_search()->set_objective(named.objective());
  study->mutable_search()->set_maximise(named.maximise());
  if (!maximise.has_value() && !named.maximise() && !IsMadeSmall(named.objective()))
    study->add_warnings(absl::StrCat("the file compares by ", named.objective(),
                                     " and does not say whether more or less of it is better: the best "
                                     "candidate named here is the one with the least"));
}

}  // namespace tune
