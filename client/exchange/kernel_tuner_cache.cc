#include "client/exchange/kernel_tuner_cache.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "client/exchange/bounded_json.h"
#include "client/exchange/parameter_json.h"
#include "client/exchange/result_study.h"
#include "client/exchange/values.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/foreign_quantity.h"
#include "common/exchange/results_alone.h"
#include "common/kernel_definition/definition_names.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

constexpr double kMillisecond = 1e-3;

absl::Status NotACache(const std::string& place, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("not a ", kKernelTunerFormat, ": ", place, " ", problem));
}

absl::StatusOr<std::vector<std::string>> NamesOf(const Json& json) {
  const auto names = json.find("tune_params_keys");
  if (names == json.end() || !names->is_array() || names->empty())
    return NotACache("tune_params_keys", "must be a list of the parameters' names");
  std::vector<std::string> texts;
  for (const Json& name : *names) {
    if (!name.is_string())
      return NotACache(absl::StrCat("tune_params_keys[", texts.size(), "]"), "must be a name");
    texts.push_back(name.get<std::string>());
  }
  return texts;
}

absl::Status ReadParameters(const Json& entry, const std::vector<std::string>& names,
                            const std::string& place, v1::Configuration* configuration) {
  for (const std::string& name : names) {
    const auto value = entry.find(name);
    if (value == entry.end()) return NotACache(place, absl::StrCat("has no value of ", name));
    if (value->is_structured())
      return NotACache(absl::StrCat(place, ".", name), "must be a number, a text, true or false");
    v1::Decision* decision = configuration->add_decisions();
    decision->set_key(name);
    decision->set_option(OptionText(*value));
  }
  return absl::OkStatus();
}

absl::Status ReadTime(const Json& entry, const std::string& place, v1::Evaluation* evaluation) {
  const auto time = entry.find("time");
  if (time == entry.end()) return NotACache(place, "has no time");
  if (time->is_string()) {
    evaluation->set_outcome(OutcomeOfKernelTuner(time->get<std::string>()));
    evaluation->set_message(time->get<std::string>());
    return absl::OkStatus();
  }
  if (!time->is_number()) return NotACache(absl::StrCat(place, ".time"), "must be a number or a word");
  std::vector<double> samples;
  const Json times = entry.value("times", Json::array());
  for (const Json& sample : times.is_array() ? times : Json::array()) {
    if (!sample.is_number()) return NotACache(absl::StrCat(place, ".times"), "must be a list of numbers");
    samples.push_back(sample.get<double>() * kMillisecond);
  }
  if (samples.empty()) samples.push_back(time->get<double>() * kMillisecond);
  SetSamples(samples, evaluation);
  return absl::OkStatus();
}

// The numbers of an entry that are neither parameters nor times: what was observed, and the user's metrics.
void ReadQuantities(const Json& entry, const std::vector<std::string>& names, v1::Evaluation* evaluation) {
  for (const auto& [key, value] : entry.items()) {
    const bool is_parameter = std::find(names.begin(), names.end(), key) != names.end();
    if (!is_parameter && value.is_number() && !absl::EndsWith(key, "_time"))
      AddQuantity(key, value.get<double>(), evaluation);
  }
}

// The name, or the first of several.
std::string ObjectiveOfCache(const Json& json) {
  const auto objective = json.find("objective");
  if (objective == json.end()) return kTimeObjective;
  const Json& first = objective->is_array() && !objective->empty() ? objective->front() : *objective;
  return first.is_string() ? first.get<std::string>() : kTimeObjective;
}

absl::StatusOr<v1::Candidate> CandidateOfEntry(const Json& entry, const std::vector<std::string>& names,
                                               const std::string& place, int64_t index) {
  if (!entry.is_object()) return NotACache(place, "must be an object");
  v1::Candidate candidate = ResultCandidate(index);
  TUNE_RETURN_IF_ERROR(ReadParameters(entry, names, place, candidate.mutable_configuration()));
  TUNE_RETURN_IF_ERROR(ReadTime(entry, place, candidate.mutable_evaluation()));
  if (candidate.evaluation().outcome() == v1::CORRECT)
    ReadQuantities(entry, names, candidate.mutable_evaluation());
  candidate.set_evaluated_unix_ms(ParseIsoTime(TextMember(entry, "timestamp")));
  const auto compile = entry.find("compile_time");
  if (compile != entry.end() && compile->is_number()) {
    v1::StageTime* stage = candidate.mutable_evaluation()->add_stages();
    stage->set_stage("compile");
    stage->set_seconds(compile->get<double>() * kMillisecond);
  }
  return candidate;
}

bool IsKnownResult(const v1::Candidate& candidate) {
  const v1::Outcome outcome = candidate.evaluation().outcome();
  return candidate.origin() == v1::SEARCH && candidate.has_evaluation() &&
         outcome != v1::OUTCOME_UNSPECIFIED && outcome != v1::CANCELLED && outcome != v1::WORKER_LOST;
}

Json EntryOf(const v1::Candidate& candidate, Json parameters) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  Json entry = std::move(parameters);
  if (evaluation.outcome() == v1::CORRECT && evaluation.measurement().median() > 0) {
    entry["time"] = evaluation.measurement().median() / kMillisecond;
    entry["times"] = Json::array();
    for (const double sample : evaluation.measurement().samples())
      entry["times"].push_back(sample / kMillisecond);
    for (const NamedQuantity& quantity : QuantitiesOf(evaluation)) {
      const std::string name = KernelTunerQuantity(quantity.name);
      if (!entry.contains(name)) entry[name] = quantity.value;
    }
  } else {
    entry["time"] = std::string(KernelTunerWord(evaluation.outcome()));
  }
  double compile = 0;
  for (const v1::StageTime& stage : evaluation.stages())
    compile += stage.stage() == "compile" ? stage.seconds() / kMillisecond : 0;
  entry["compile_time"] = compile;
  for (const char* unknown : {"verification_time", "benchmark_time", "strategy_time", "framework_time"})
    entry[unknown] = 0;
  entry["timestamp"] = IsoTime(candidate.evaluated_unix_ms());
  return entry;
}

// Kernel Tuner's name of an entry: the values with commas between them.
std::string EntryName(const Json& parameters) {
  std::vector<std::string> texts;
  for (const Json& value : parameters) texts.push_back(OptionText(value));
  return absl::StrJoin(texts, ",");
}

// The values of each parameter: those of the definition, or those that were met.
Json ValuesOf(const v1::ArchivedStudy& study, const std::vector<Json>& configurations) {
  Json values = Json::object();
  for (const v1::TuningParameterValues& parameter : study.spec().kernel().parameters()) {
    for (const v1::TuningValue& value : parameter.values()) values[parameter.name()].push_back(JsonOf(value));
  }
  if (study.spec().has_kernel()) return values;
  for (const Json& configuration : configurations) {
    for (const auto& [name, value] : configuration.items()) {
      Json& known = values[name];
      if (std::find(known.begin(), known.end(), value) == known.end()) known.push_back(value);
    }
  }
  return values;
}

Json ProblemSizesOf(const v1::KernelDefinition& kernel) {
  Json sizes = Json::array();
  const absl::StatusOr<NamedValues> names = ProblemNames(kernel);
  if (!names.ok() || names->count(kProblemSize) == 0) return sizes;
  for (const Value& size : names->at(kProblemSize).list()) sizes.push_back(size.whole());
  return sizes;
}

std::vector<std::string> KeysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

}  // namespace

bool IsKernelTunerCache(const Json& json) {
  return json.is_object() && (json.contains("cache") || json.contains("tune_params_keys"));
}

absl::StatusOr<v1::ArchivedStudy> ReadKernelTunerCache(const Json& json, const std::string& source) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesOf(json));
  const auto cache = json.find("cache");
  if (cache == json.end() || !cache->is_object()) return NotACache("cache", "must be an object of results");
  if (cache->empty()) return absl::InvalidArgumentError("the cache has no results");
  std::vector<v1::Candidate> candidates;
  for (const auto& [name, entry] : cache->items()) {
    TUNE_ASSIGN_OR_RETURN(v1::Candidate candidate,
                          CandidateOfEntry(entry, names, absl::StrCat("cache[\"", name, "\"]"),
                                           static_cast<int64_t>(candidates.size())));
    candidates.push_back(std::move(candidate));
  }
  v1::Study study = ResultStudy(kKernelTunerFormat, source);
  if (const std::string kernel = TextMember(json, "kernel_name"); !kernel.empty()) study.set_name(kernel);
  study.set_owner("Kernel Tuner");
  study.mutable_device()->set_model(TextMember(json, "device_name"));
  SetObjective(ObjectiveOfCache(json), MaximiseOf(json.value("tuned", Json())), &study);
  study.set_created_unix_ms(candidates[0].evaluated_unix_ms());
  return ArchiveOfResults(std::move(study), std::move(candidates));
}

absl::StatusOr<Json> WriteKernelTunerCache(const v1::ArchivedStudy& study) {
  std::vector<Json> configurations;
  Json cache = Json::object();
  for (const v1::ArchivedCandidate& archived : study.candidates()) {
    const v1::Candidate& candidate = archived.candidate();
    if (!IsKnownResult(candidate)) continue;
    Json parameters = ParametersOf(study.spec(), candidate.configuration());
    if (!configurations.empty() && KeysOf(parameters) != KeysOf(configurations[0])) {
      return absl::InvalidArgumentError(
          absl::StrCat(study.study().id(), ": candidate ", candidate.index(),
                       " has other decisions than those before it, and a ", kKernelTunerFormat,
                       " holds configurations of the same parameters; export it with --format t4"));
    }
    cache[EntryName(parameters)] = EntryOf(candidate, parameters);
    configurations.push_back(std::move(parameters));
  }
  if (configurations.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(study.study().id(), ": nothing was evaluated, so there are no results to write"));
  }
  const v1::KernelDefinition& kernel = study.spec().kernel();
  const v1::SearchOptions& search = study.study().search();
  return Json(
      {{"device_name", study.study().device().model()},
       {"kernel_name", kernel.kernels().empty() ? study.study().name() : kernel.kernels(0).name()},
       {"problem_size", ProblemSizesOf(kernel)},
       {"tune_params_keys", KeysOf(configurations[0])},
       {"tune_params", ValuesOf(study, configurations)},
       {"objective", KernelTunerQuantity(ObjectiveOf(search))},
       {"tuned", {{"version", kVersion}, {"study", study.study().id()}, {"maximise", search.maximise()}}},
       {"cache", std::move(cache)}});
}

}  // namespace tune
