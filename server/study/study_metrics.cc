#include "server/study/study_metrics.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"
#include "common/evaluation/objective.h"
#include "common/expression/compiled_expression.h"
#include "common/kernel_definition/expression_check.h"

namespace tune {
namespace {

constexpr const char* kMeasured[] = {"time", "energy", "power"};
constexpr const char* kObjectives[] = {"time", "energy", "power", "edp"};

absl::Status RefusedField(absl::string_view field, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("spec.", field, ": ", problem));
}

// The names that metrics may use; their values are of no meaning.
absl::StatusOr<NamedValues> NamesOf(const v1::StudySpec& spec) {
  NamedValues names;
  if (spec.has_kernel()) {
    TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(spec.kernel()));
    names = StudyNames(spec.kernel(), problem);
  }
  for (const v1::Parameter& parameter : spec.scop().parameters()) names[parameter.name()] = Value();
  for (const char* name : kMeasured) names.emplace(name, Value());
  return names;
}

bool UsesEnergy(const v1::MetricDefinition& metric) {
  const absl::StatusOr<Expression> expression = Expression::Parse(metric.expression());
  if (!expression.ok()) return false;
  const std::vector<std::string> names = expression->Names();
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return name == "energy" || name == "power"; });
}

absl::Status CheckMetrics(const v1::StudySpec& spec) {
  if (spec.metrics_size() > kMostMetrics) {
    return RefusedField("metrics", absl::StrCat(spec.metrics_size(), " metrics; at most ", kMostMetrics,
                                                " are accepted: leave some out"));
  }
  TUNE_ASSIGN_OR_RETURN(const NamedValues names, NamesOf(spec));
  std::set<std::string> seen;
  for (const v1::MetricDefinition& metric : spec.metrics()) {
    const std::string name = EscapeLine(metric.name());
    if (!IsDefinitionName(metric.name()))
      return RefusedField("metrics", absl::StrCat("'", name, "' is no name: letters, digits and _ make one"));
    if (names.count(metric.name()) > 0 || absl::c_linear_search(kObjectives, metric.name()))
      return RefusedField("metrics", absl::StrCat(name, ": the name stands for something else; use another"));
    if (!seen.insert(metric.name()).second)
      return RefusedField("metrics", absl::StrCat(name, " is there twice"));
    const absl::Status checked = CheckExpression(metric.expression(), names);
    if (!checked.ok()) return Annotate(checked, absl::StrCat("spec.metrics: ", name));
  }
  return absl::OkStatus();
}

absl::Status CheckObjective(const v1::StudySpec& spec) {
  const std::string objective = ObjectiveOf(spec.search());
  if (absl::c_linear_search(kObjectives, objective)) {
    if (!spec.search().maximise()) return absl::OkStatus();
    return RefusedField("search.maximise",
                        absl::StrCat("less of ", objective, " is better; leave it out, or use a metric"));
  }
  std::vector<std::string> known(std::begin(kObjectives), std::end(kObjectives));
  for (const v1::MetricDefinition& metric : spec.metrics()) {
    if (metric.name() == objective) return absl::OkStatus();
    known.push_back(metric.name());
  }
  return RefusedField(
      "search.objective",
      absl::StrCat("'", EscapeLine(objective), "' is not known; use one of ", absl::StrJoin(known, ", "),
                   ", or define it with --metric NAME=EXPRESSION"));
}

// Numbers alone count; a boolean is none.
std::optional<double> NumberOf(const absl::StatusOr<Value>& value) {
  if (!value.ok() || !value->IsNumber() || value->IsBoolean()) return std::nullopt;
  const double number = value->AsDouble();
  return std::isfinite(number) ? std::optional<double>(number) : std::nullopt;
}

}  // namespace

bool NeedsEnergy(const v1::StudySpec& spec) {
  const std::string objective = ObjectiveOf(spec.search());
  return spec.search().energy() || objective == "energy" || objective == "power" || objective == "edp" ||
         std::any_of(spec.metrics().begin(), spec.metrics().end(), UsesEnergy);
}

absl::Status CheckObjectives(const v1::StudySpec& spec) {
  TUNE_RETURN_IF_ERROR(CheckMetrics(spec));
  TUNE_RETURN_IF_ERROR(CheckObjective(spec));
  if (!NeedsEnergy(spec) || spec.target() == v1::CUDA) return absl::OkStatus();
  return RefusedField(
      "search",
      "energy is measured on NVIDIA GPUs, and the target is not cuda; use target cuda, or leave out "
      "the objective, the metrics and the option that need energy");
}

absl::StatusOr<StudyMetrics> StudyMetrics::Make(const v1::StudySpec& spec) {
  StudyMetrics metrics;
  for (const v1::MetricDefinition& metric : spec.metrics()) {
    TUNE_ASSIGN_OR_RETURN(Expression expression, Expression::Parse(metric.expression()));
    metrics.metrics_.push_back({metric.name(), std::move(expression)});
  }
  if (metrics.metrics_.empty() || !spec.has_kernel()) return metrics;
  TUNE_ASSIGN_OR_RETURN(metrics.reader_, ConfigurationReader::Make(spec.kernel()));
  return metrics;
}

void StudyMetrics::Set(const v1::Reference& reference, const v1::Configuration& configuration,
                       v1::Evaluation* evaluation) const {
  evaluation->clear_metrics();
  const v1::Measurement& measurement = evaluation->measurement();
  if (metrics_.empty() || evaluation->outcome() != v1::CORRECT || measurement.median() <= 0) return;
  NamedValues names;
  if (reader_.has_value()) {
    absl::StatusOr<NamedValues> known = reader_->Names(configuration);
    if (!known.ok()) return;
    names = *std::move(known);
  }
  for (const v1::ParameterValue& parameter : reference.parameters())
    names[parameter.name()] = Value::Integer(parameter.value());
  names["time"] = Value::Float(measurement.median());
  if (measurement.joules() > 0) {
    names["energy"] = Value::Float(measurement.joules());
    names["power"] = Value::Float(PowerOf(measurement));
  }
  for (const Metric& metric : metrics_) {
    const std::optional<double> number = NumberOf(Evaluate(metric.expression, names));
    if (!number.has_value()) continue;
    v1::MetricValue* value = evaluation->add_metrics();
    value->set_name(metric.name);
    value->set_value(*number);
  }
}

v1::Candidate ByObjective(const v1::SearchOptions& search, v1::Candidate candidate) {
  if (candidate.has_evaluation()) ReplaceTimeByCost(search, candidate.mutable_evaluation());
  return candidate;
}

}  // namespace tune
