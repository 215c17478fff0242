#include "client/exchange/t4.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/ascii.h"
#include "client/exchange/bounded_json.h"
#include "client/exchange/parameter_json.h"
#include "client/exchange/result_study.h"
#include "client/exchange/values.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/foreign_quantity.h"
#include "common/exchange/results_alone.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

constexpr double kMilli = 1e3;  // milliseconds of a second

bool IsResult(const v1::Candidate& candidate) {
  return candidate.origin() != v1::REPLAY && candidate.has_evaluation() &&
         candidate.evaluation().outcome() != v1::OUTCOME_UNSPECIFIED &&
         IsOfARun(candidate.evaluation().outcome());
}

double StageSeconds(const v1::Evaluation& evaluation, absl::string_view stage) {
  double seconds = 0;
  for (const v1::StageTime& time : evaluation.stages()) seconds += time.stage() == stage ? time.seconds() : 0;
  return seconds;
}

Json ResultOf(const v1::ArchivedStudy& study, const v1::Candidate& candidate) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  Json runtimes = Json::array(), measurements = Json::array();
  for (const double sample : evaluation.measurement().samples()) runtimes.push_back(sample * kMilli);
  const bool correct = evaluation.outcome() == v1::CORRECT;
  if (correct) {
    measurements.push_back(
        {{"name", "time"}, {"value", evaluation.measurement().median() * kMilli}, {"unit", "milliseconds"}});
    for (const NamedQuantity& quantity : QuantitiesOf(evaluation))
      measurements.push_back({{"name", quantity.name}, {"value", quantity.value}, {"unit", quantity.unit}});
  }
  Json result = {{"configuration", ParametersOf(study.spec(), candidate.configuration())},
                 {"objectives", {ObjectiveOf(study.study().search())}},
                 {"times",
                  {{"compilation_time", StageSeconds(evaluation, "compile") * kMilli},
                   {"runtimes", runtimes},
                   {"framework", StageSeconds(evaluation, "generate") * kMilli}}},
                 {"invalidity", std::string(T4OutcomeName(evaluation.outcome()))},
                 {"correctness", correct ? 1 : 0},
                 {"measurements", measurements}};
  const std::string time = IsoTime(candidate.evaluated_unix_ms());
  if (!time.empty()) result["timestamp"] = time;
  return result;
}

// What T4 has no field for.
Json OwnResult(const v1::Candidate& candidate) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  Json own = {{"index", candidate.index()}, {"outcome", std::string(OutcomeName(evaluation.outcome()))}};
  if (!evaluation.message().empty()) own["message"] = evaluation.message();
  if (evaluation.outcome() == v1::CORRECT) {
    own["confidence_low"] = evaluation.measurement().confidence_low() * kMilli;
    own["confidence_high"] = evaluation.measurement().confidence_high() * kMilli;
  }
  if (evaluation.duplicate_of_plus_one() > 0) own["duplicate_of"] = evaluation.duplicate_of_plus_one() - 1;
  return own;
}

Json OwnMetadata(const v1::ArchivedStudy& archived) {
  const v1::Study& study = archived.study();
  Json parameters = Json::object();
  for (const v1::ParameterValue& parameter : study.reference().parameters())
    parameters[parameter.name()] = parameter.value();
  Json own = {{"study", study.id()},
              {"fingerprint", archived.fingerprint()},
              {"name", study.name()},
              {"owner", study.owner()},
              {"generator", archived.spec().generator()},
              {"search", study.search().strategy()},
              {"seed", study.search().seed()},
              {"objective", ObjectiveOf(study.search())},
              {"maximise", study.search().maximise()},
              {"parameters", parameters},
              {"best", study.best_index() < 0 ? Json() : Json(study.best_index())},
              {"results", Json::array()}};
  if (study.has_provenance()) {
    own["provenance"] = {{"format", study.provenance().format()},
                         {"server", study.provenance().server()},
                         {"study", study.provenance().study_id()}};
  }
  return own;
}

Json MetadataOf(const v1::ArchivedStudy& archived) {
  const v1::Device& device = archived.study().device();
  Json metadata = Json::object();
  if (device.target() == v1::CUDA) metadata["compute_api"] = "CUDA";  // the schema has no word for C
  if (!device.compiler().empty()) metadata["platform"] = device.compiler();
  metadata["device"] = device.model();
  metadata["autotuner"] = "tuned";
  metadata["autotuner_version"] = kVersion;
  const std::string time = IsoTime(archived.study().created_unix_ms());
  if (!time.empty()) metadata["timestamp"] = time;
  metadata["timeunit"] = "milliseconds";
  metadata["tuned"] = OwnMetadata(archived);
  return metadata;
}

// Seconds of one unit of the file's times.
double UnitSeconds(const std::string& unit) {
  static const auto* const units = new std::map<std::string, double>{
      {"nanoseconds", 1e-9},  {"ns", 1e-9}, {"microseconds", 1e-6}, {"us", 1e-6},
      {"milliseconds", 1e-3}, {"ms", 1e-3}, {"seconds", 1},         {"s", 1}};
  const auto found = units->find(absl::AsciiStrToLower(unit));
  return found == units->end() ? 0 : found->second;
}

// Samples of the run times, or the measurement that is the time; seconds.
std::vector<double> SamplesOf(const Json& result, double default_unit) {
  std::vector<double> samples;
  const Json runtimes = result["times"].value("runtimes", Json::array());
  for (const Json& runtime : runtimes) samples.push_back(runtime.get<double>() * default_unit);
  if (!samples.empty()) return samples;
  for (const Json& measurement : result.value("measurements", Json::array())) {
    if (TextMember(measurement, "name") != "time" || !measurement.contains("value")) continue;
    const double unit = UnitSeconds(TextMember(measurement, "unit"));
    const Json& value = measurement["value"];
    if (value.is_number()) samples.push_back(value.get<double>() * (unit > 0 ? unit : default_unit));
  }
  return samples;
}

// What was measured beside the time: in J and W, also where mJ and mW stand there or no unit.
void AddMeasurements(const Json& result, v1::Evaluation* evaluation) {
  for (const Json& measurement : result.value("measurements", Json::array())) {
    const auto value = measurement.find("value");
    if (value == measurement.end() || !value->is_number()) continue;
    const std::string unit = absl::AsciiStrToLower(TextMember(measurement, "unit"));
    const double scale = unit == "mj" || unit == "mw" ? 1e-3 : 1;
    AddQuantity(TextMember(measurement, "name"), value->get<double>() * scale, evaluation);
  }
}

v1::Candidate CandidateOf(const Json& result, int64_t index, double unit) {
  v1::Candidate candidate = ResultCandidate(index);
  candidate.set_evaluated_unix_ms(ParseIsoTime(TextMember(result, "timestamp")));
  for (const auto& [key, value] : result["configuration"].items()) {
    v1::Decision* decision = candidate.mutable_configuration()->add_decisions();
    decision->set_key(key);
    decision->set_option(OptionText(value));
  }
  v1::Evaluation& evaluation = *candidate.mutable_evaluation();
  evaluation.set_outcome(ParseOutcome(result["invalidity"].get<std::string>()).value());
  if (evaluation.outcome() != v1::CORRECT) return candidate;
  SetSamples(SamplesOf(result, unit), &evaluation);
  AddMeasurements(result, &evaluation);
  return candidate;
}

// The first objective of the first result that names one: a file is of one search.
std::string ObjectiveOfResults(const Json& results) {
  for (const Json& result : results) {
    const Json objectives = result.value("objectives", Json::array());
    if (!objectives.empty()) return objectives[0].get<std::string>();
  }
  return kTimeObjective;
}

v1::Study StudyOf(const Json& metadata, const std::string& source) {
  v1::Study study = ResultStudy(kT4Format, source);
  const std::string tuner = TextMember(metadata, "autotuner");
  study.set_owner(tuner.empty() ? "T4" : tuner);
  if (TextMember(metadata, "compute_api") == "CUDA") study.set_target(v1::CUDA);
  study.mutable_device()->set_target(study.target());
  study.mutable_device()->set_model(TextMember(metadata, "device"));
  study.mutable_device()->set_compiler(TextMember(metadata, "platform"));
  study.set_created_unix_ms(ParseIsoTime(TextMember(metadata, "timestamp")));
  study.set_finished_unix_ms(study.created_unix_ms());
  return study;
}

}  // namespace

absl::StatusOr<Json> WriteT4(const v1::ArchivedStudy& study) {
  Json metadata = MetadataOf(study), results = Json::array();
  for (const v1::ArchivedCandidate& archived : study.candidates()) {
    if (!IsResult(archived.candidate())) continue;
    results.push_back(ResultOf(study, archived.candidate()));
    metadata["tuned"]["results"].push_back(OwnResult(archived.candidate()));
  }
  if (results.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(study.study().id(), ": nothing was evaluated, so there are no results to write"));
  }
  return Json({{"schema_version", kT4Version}, {"metadata", metadata}, {"results", results}});
}

absl::StatusOr<v1::ArchivedStudy> ReadT4(const Json& json, const std::string& source) {
  TUNE_RETURN_IF_ERROR(CheckT4(json));
  const Json results = json.value("results", Json::array());
  if (results.empty()) return absl::InvalidArgumentError("the T4 file has no results");
  const Json metadata = json.value("metadata", Json::object());
  const std::string unit = TextMember(metadata, "timeunit");
  const double unit_seconds =
      unit.empty() ? 1e-3 : UnitSeconds(unit);  // Kernel Tuner and KTT write milliseconds
  std::vector<v1::Candidate> candidates;
  for (const Json& result : results)
    candidates.push_back(CandidateOf(result, static_cast<int64_t>(candidates.size()), unit_seconds));
  v1::Study study = StudyOf(metadata, source);
  SetObjective(ObjectiveOfResults(results), MaximiseOf(metadata.value("tuned", Json())), &study);
  return ArchiveOfResults(std::move(study), std::move(candidates));
}

}  // namespace tune
