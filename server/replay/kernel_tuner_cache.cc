#include "server/replay/kernel_tuner_cache.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/evaluation/outcome.h"
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

absl::StatusOr<double> TimeOfResult(const Json& result, const std::string& where) {
  const auto measurements = result.find("measurements");
  if (measurements == result.end() || !measurements->is_array()) return Refuse(where, "has no measurements");
  for (const Json& measurement : *measurements) {
    const auto value = measurement.find("value");
    if (value != measurement.end() && IsTime(*value)) return value->get<double>();
  }
  return Refuse(where, "has no measurement above 0");
}

absl::StatusOr<std::vector<RecordedCandidate>> ParseResults(const Json& results) {
  if (!results.is_array()) return Refuse("results", "must be a list");
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
      TUNE_ASSIGN_OR_RETURN(const double time, TimeOfResult(results[i], where));
      candidate.evaluation = CorrectIn(time);
    } else {
      const absl::StatusOr<v1::Outcome> outcome = ParseOutcome(word);
      candidate.evaluation = Failed(outcome.ok() ? *outcome : v1::RUNTIME, word);
    }
  }
  return candidates;
}

absl::StatusOr<std::vector<RecordedCandidate>> ParseWhole(absl::string_view json) {
  try {
    return ParseResults(Json::parse(json.begin(), json.end()).at("results"));
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

}  // namespace

absl::StatusOr<std::vector<RecordedCandidate>> ParseRecordedCandidates(absl::string_view json) {
  TUNE_ASSIGN_OR_RETURN(const RecordedFormat format, FormatOf(json));
  if (!format.is_object) return Refuse("the file", "must hold an object");
  if (format.has_results) return ParseWhole(json);
  if (!format.has_cache) return Refuse("the file", "has neither `cache` (Kernel Tuner) nor `results` (T4)");
  if (!format.has_names) return Refuse("tune_params_keys", "a list of names is missing");
  return ReadCache(json, format.names);
}

}  // namespace tune
