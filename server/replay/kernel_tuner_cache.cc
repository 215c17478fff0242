#include "server/replay/kernel_tuner_cache.h"

#include <zlib.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

absl::Status Refuse(absl::string_view where, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", why));
}

v1::Evaluation Correct(double time) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(v1::CORRECT);
  evaluation.mutable_measurement()->set_median(time);
  return evaluation;
}

v1::Evaluation Failed(v1::Outcome outcome, const std::string& message) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(outcome);
  evaluation.set_message(message);
  return evaluation;
}

v1::Outcome OutcomeOfWord(const std::string& word) {
  if (absl::StrContains(word, "Compilation")) return v1::COMPILE;
  if (absl::StrContains(word, "Invalid")) return v1::CONSTRAINTS;
  if (absl::StrContains(word, "Correctness") || absl::StrContains(word, "Verification"))
    return v1::CORRECTNESS;
  return v1::RUNTIME;
}

bool IsTime(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0;
}

absl::StatusOr<std::vector<RecordedCandidate>> ParseCache(const Json& file) {
  const auto keys = file.find("tune_params_keys");
  const auto cache = file.find("cache");
  if (keys == file.end() || !keys->is_array())
    return Refuse("tune_params_keys", "a list of names is missing");
  if (!cache->is_object()) return Refuse("cache", "must be an object");
  std::vector<RecordedCandidate> candidates;
  for (const auto& [name, entry] : cache->items()) {
    const std::string where = absl::StrCat("cache[\"", name, "\"]");
    RecordedCandidate& candidate = candidates.emplace_back();
    for (const Json& key : *keys) {
      const auto value = entry.find(TextOf(key));
      if (value == entry.end()) return Refuse(where, absl::StrCat("has no ", TextOf(key)));
      candidate.decisions.emplace_back(TextOf(key), TextOf(*value));
    }
    const auto time = entry.find("time");
    if (time == entry.end()) return Refuse(where, "has no time");
    const std::string word = TextOf(*time);
    candidate.evaluation = IsTime(*time) ? Correct(time->get<double>()) : Failed(OutcomeOfWord(word), word);
  }
  return candidates;
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
      candidate.evaluation = Correct(time);
    } else {
      const absl::StatusOr<v1::Outcome> outcome = ParseOutcome(word);
      candidate.evaluation = Failed(outcome.ok() ? *outcome : v1::RUNTIME, word);
    }
  }
  return candidates;
}

}  // namespace

absl::StatusOr<std::vector<RecordedCandidate>> ParseRecordedCandidates(absl::string_view json) {
  // Single samples are most of such a file, and nobody needs them.
  const auto filter = [](int, Json::parse_event_t event, Json& parsed) {
    return event != Json::parse_event_t::key || parsed != "times";
  };
  try {
    const Json file = Json::parse(json.begin(), json.end(), filter);
    if (!file.is_object()) return Refuse("the file", "must hold an object");
    if (file.contains("cache")) return ParseCache(file);
    if (file.contains("results")) return ParseResults(file.at("results"));
    return Refuse("the file", "has neither `cache` (Kernel Tuner) nor `results` (T4)");
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

absl::StatusOr<std::string> ReadCompressedFile(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  std::string text;
  std::vector<char> part(1 << 20);
  int count = 0;
  while ((count = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0)
    text.append(part.data(), count);
  int error = Z_OK;
  gzerror(file, &error);
  gzclose(file);
  if (count < 0 || error != Z_OK)
    return absl::DataLossError(absl::StrCat(path, ": the compressed data is damaged"));
  return text;
}

}  // namespace tune
