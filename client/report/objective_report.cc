#include "client/report/objective_report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "common/evaluation/objective.h"

namespace tune {
namespace {

// Less is better in each.
struct FrontPoint {
  std::vector<double> costs;
  const v1::Candidate* candidate = nullptr;
};

double FrontValueOf(const FrontQuantity& quantity, const v1::Candidate& candidate) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  return QuantityOf(quantity.name, evaluation.measurement(), evaluation.metrics());
}

bool Surpasses(const FrontPoint& a, const FrontPoint& b) {
  bool better = false;
  for (size_t i = 0; i < a.costs.size(); ++i) {
    if (a.costs[i] > b.costs[i]) return false;
    better = better || a.costs[i] < b.costs[i];
  }
  return better;
}

}  // namespace

std::string QuantitiesText(const v1::Measurement& measurement,
                           const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics) {
  std::vector<std::string> texts;
  if (measurement.joules() > 0)
    texts.push_back(absl::StrFormat("%.3g J a run, %.3g W", measurement.joules(), PowerOf(measurement)));
  for (const v1::MetricValue& metric : metrics)
    texts.push_back(absl::StrCat(metric.name(), " ", QuantityText(metric.name(), metric.value())));
  return absl::StrJoin(texts, "; ");
}

std::string QuantityText(const std::string& quantity, double value) {
  if (quantity == kTimeObjective) return FormatSeconds(value);
  const std::string unit = UnitOf(quantity);
  return absl::StrFormat("%.4g%s%s", value, unit.empty() ? "" : " ", unit);
}

std::string BestByObjective(const v1::Study& study) {
  const std::string objective = ObjectiveOf(study.search());
  const double value = BestQuantity(study);
  if (objective == kTimeObjective) return FormatSeconds(value);
  if (value == 0) return absl::StrCat("no ", objective);
  return absl::StrCat(objective, " ", QuantityText(objective, value));
}

std::string BestOtherwise(const v1::Study& study) {
  const std::string objective = ObjectiveOf(study.search());
  const double joules = study.best().joules();
  std::vector<std::string> texts;
  if (objective != kTimeObjective) texts.push_back(FormatSeconds(study.best().median()));
  if (joules > 0 && objective != "energy") texts.push_back(QuantityText("energy", joules));
  if (joules > 0 && objective != "power") texts.push_back(QuantityText("power", PowerOf(study.best())));
  for (const v1::MetricValue& metric : study.best_metrics())
    if (metric.name() != objective)
      texts.push_back(absl::StrCat(metric.name(), " ", QuantityText(metric.name(), metric.value())));
  return absl::StrJoin(texts, "; ");
}

std::string GainOfObjective(const v1::Study& study) {
  if (study.best_index() < 0) return "";
  if (BestQuantity(study) == 0)
    return absl::StrCat("no candidate has a value of ", ObjectiveOf(study.search()));
  std::string text = BestByObjective(study);
  if (study.best_index() == 0) return text + ", the default's";
  if (GainByObjective(study) > 0)
    absl::StrAppend(&text, ", ", FormatGain(GainByObjective(study)), " as good as the default's ",
                    QuantityText(ObjectiveOf(study.search()), DefaultQuantity(study)));
  return text;
}

std::string ObjectiveText(const v1::SearchOptions& search) {
  if (IsTimeObjective(search)) return "";
  return absl::StrCat(ObjectiveOf(search), search.maximise() ? ", as much as possible" : "");
}

absl::StatusOr<std::vector<FrontQuantity>> ParseFront(const std::string& text) {
  std::vector<FrontQuantity> quantities;
  std::set<std::string> seen;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    FrontQuantity quantity;
    quantity.maximise = !word.empty() && word[0] == '+';
    quantity.name = std::string(word.substr(quantity.maximise ? 1 : 0));
    if (quantity.name.empty() || !seen.insert(quantity.name).second)
      return absl::InvalidArgumentError(absl::StrCat(
          "--front ", text, ": write each quantity once, with commas between them, such as time,energy"));
    quantities.push_back(std::move(quantity));
  }
  if (quantities.size() < 2)
    return absl::InvalidArgumentError(
        absl::StrCat("--front ", text, ": a front is of two quantities or more, such as time,energy"));
  return quantities;
}

std::vector<const v1::Candidate*> ParetoFront(const std::vector<v1::Candidate>& candidates,
                                              const std::vector<FrontQuantity>& quantities) {
  std::vector<FrontPoint> points;
  for (const v1::Candidate& candidate : candidates) {
    if (candidate.origin() != v1::SEARCH || candidate.evaluation().outcome() != v1::CORRECT) continue;
    FrontPoint point = {{}, &candidate};
    for (const FrontQuantity& quantity : quantities) {
      const double value = FrontValueOf(quantity, candidate);
      if (value == 0 || !std::isfinite(value)) break;
      point.costs.push_back(quantity.maximise ? -value : value);
    }
    if (point.costs.size() == quantities.size()) points.push_back(std::move(point));
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const FrontPoint& a, const FrontPoint& b) { return a.costs < b.costs; });
  // Who surpasses a point stands before it, and is on the front or surpassed by one that is.
  std::vector<FrontPoint> front;
  for (const FrontPoint& point : points) {
    const auto surpasses = [&](const FrontPoint& other) { return Surpasses(other, point); };
    if (std::none_of(front.begin(), front.end(), surpasses)) front.push_back(point);
  }
  std::vector<const v1::Candidate*> result;
  for (const FrontPoint& point : front) result.push_back(point.candidate);
  return result;
}

std::string FrontTable(const std::vector<const v1::Candidate*>& front,
                       const std::vector<FrontQuantity>& quantities) {
  if (front.empty())
    return "no front: no correct candidate has all of these quantities; energy and power are measured with "
           "--energy or an objective that needs them, metrics are defined with --metric when a study is "
           "submitted\n";
  std::vector<Table::Column> columns = {{"candidate", Table::Align::kRight}};
  for (const FrontQuantity& quantity : quantities) columns.push_back({quantity.name, Table::Align::kRight});
  Table table(columns);
  for (const v1::Candidate* const candidate : front) {
    std::vector<std::string> row = {absl::StrCat(candidate->index())};
    for (const FrontQuantity& quantity : quantities)
      row.push_back(QuantityText(quantity.name, FrontValueOf(quantity, *candidate)));
    table.AddRow(row);
  }
  return table.Print();
}

}  // namespace tune
