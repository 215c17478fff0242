#include "server/replay/kernel_tuner_cache.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/foreign_quantity.h"
#include "server/replay/cache_reader.h"
#include "server/replay/recorded_outcome.h"

namespace tune {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

absl::Status Refuse(absl::string_view where, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", why));
}

bool IsTime(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0;
}

// The time is the measurement of that name, else the first one above 0; others are quantities of their names.
absl::StatusOr<v1::Evaluation> MeasurementsOf(const Json& result, const std::string& where) {
  const auto measurements = result.find("measurements");
  if (measurements == result.end() || !measurements->is_array()) return Refuse(where, "has no measurements");
  double time = 0, first = 0;
  std::vector<std::pair<std::string, double>> quantities;
  for (const Json& measurement : *measurements) {
    const auto value = measurement.find("value");
    if (value == measurement.end() || !IsTime(*value)) continue;
    const std::string name = TextOf(measurement.value("name", Json("")));
    const double number = value->get<double>();
    if (name == kTimeObjective && time == 0) time = number;
    if (first == 0) first = number;
    quantities.emplace_back(name, number);
  }
  if (first == 0) return Refuse(where, "has no measurement above 0");
  v1::Evaluation evaluation = CorrectIn(time > 0 ? time : first);
  for (const auto& [name, value] : quantities) AddQuantity(name, value, &evaluation);
  return evaluation;
}

// The objective that the first result names; empty: none does.
std::string ObjectiveOfResults(const Json& results) {
  for (const Json& result : results) {
    const auto objectives = result.find("objectives");
    if (objectives != result.end() && objectives->is_array() && !objectives->empty() &&
        objectives->front().is_string())
      return objectives->front().get<std::string>();
  }
  return "";
}

absl::StatusOr<std::vector<RecordedCandidate>> ParseResults(const Json& results,
                                                            const v1::SearchOptions& search) {
  std::vector<RecordedCandidate> candidates;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string where = absl::StrCat("results[", i, "]");
    const auto configuration = results[i].find("configuration");
    if (configuration == results[i].end() || !configuration->is_object())
      return Refuse(where, "has no configuration");
    RecordedCandidate& candidate = candidates.emplace_back();
    for (const auto& [key, option] : configuration->items())
      candidate.decisions.emplace_back(key, TextOf(option));
    const std::string word = TextOf(results[i].value("invalidity", Json("correct")));
    if (word == "correct") {
      TUNE_ASSIGN_OR_RETURN(candidate.evaluation, MeasurementsOf(results[i], where));
      ReplaceTimeByCost(search, &candidate.evaluation);
      candidate.evaluation.clear_metrics();
    } else {
      const absl::StatusOr<v1::Outcome> outcome = ParseOutcome(word);
      candidate.evaluation = Failed(outcome.ok() ? *outcome : v1::RUNTIME, word);
    }
  }
  return candidates;
}

// `search` where it names an objective, else what the file says, which is put there.
v1::SearchOptions JudgedBy(const std::string& name, std::optional<bool> maximise, v1::SearchOptions* search) {
  if (search != nullptr && !search->objective().empty()) return *search;
  const v1::SearchOptions named = ObjectiveNamed(name, maximise);
  if (search != nullptr) {
    search->set_objective(named.objective());
    search->set_maximise(named.maximise());
  }
  return named;
}

absl::StatusOr<std::vector<RecordedCandidate>> ParseWhole(absl::string_view json, v1::SearchOptions* search) {
  try {
    const Json whole = Json::parse(json.begin(), json.end());
    const Json& results = whole.at("results");
    if (!results.is_array()) return Refuse("results", "must be a list");
    std::optional<bool> maximise;
    const Json tuned = whole.value("metadata", Json::object()).value("tuned", Json::object());
    if (tuned.contains("maximise")) maximise = tuned.at("maximise").get<bool>();
    return ParseResults(results, JudgedBy(ObjectiveOfResults(results), maximise, search));
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

}  // namespace

absl::StatusOr<std::vector<RecordedCandidate>> ParseRecordedCandidates(absl::string_view json,
                                                                       v1::SearchOptions* search) {
  TUNE_ASSIGN_OR_RETURN(const RecordedFormat format, FormatOf(json));
  if (!format.is_object) return Refuse("the file", "must hold an object");
  if (format.has_results) return ParseWhole(json, search);
  if (!format.has_cache) return Refuse("the file", "has neither `cache` (Kernel Tuner) nor `results` (T4)");
  if (!format.has_names) return Refuse("tune_params_keys", "a list of names is missing");
  return ReadCache(json, format.names, JudgedBy(format.objective, format.maximise, search));
}

}  // namespace tune
