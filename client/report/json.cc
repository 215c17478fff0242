#include "client/report/json.h"

#include "absl/strings/str_cat.h"
#include "client/report/program_gain.h"
#include "client/report/words.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/rounding.h"
#include "common/evaluation/study_result.h"
#include "common/json/case_json.h"

namespace tune {
namespace {

std::string Text(absl::string_view word) { return std::string(word); }

template <typename Repeated>
Json List(const Repeated& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(ToJson(item));
  return list;
}

Json Provenance(const v1::Provenance& provenance) {
  return {{"format", provenance.format()},
          {"server", provenance.server()},
          {"study", provenance.study_id()},
          {"fingerprint", provenance.fingerprint()},
          {"imported", provenance.imported_unix_ms()}};
}

// The first line of a result as text, and what it is made of; null while nothing is known of it.
Json ResultWithText(const v1::Study& study) {
  const Json result = ResultJson(study);
  if (result.is_null()) return result;
  Json json = {{"text", ProgramGain(study)}};
  json.update(result);
  return json;
}

}  // namespace

Json ToJson(const v1::Device& device) { return DeviceJson(device, TargetWord(device.target())); }

Json ToJson(const v1::Study& study) {
  const v1::Measurement* best = BestMeasurement(study);
  return {{"id", study.id()},
          {"name", study.name()},
          {"owner", study.owner()},
          {"state", Text(StudyStateName(study.state()))},
          {"result", ResultWithText(study)},
          {"failure", study.failure()},
          {"failure_log", study.failure_log()},
          {"target", TargetWord(study.target())},
          {"generator", GeneratorOf(study.generator())},
          {"rounding", RoundingName(study.rounding())},
          {"device", study.has_device() ? ToJson(study.device()) : Json()},
          {"search", ToJson(study.search())},
          {"reference", study.has_reference() ? ToJson(study.reference()) : Json()},
          {"evaluated", study.evaluated()},
          {"budget", study.budget()},
          {"outcomes", OutcomesJson(study)},
          {"duplicates", study.duplicates()},
          {"inspections", InspectionsJson(study)},
          {"cases", study.has_cases() ? CaseDiscussionJson(study.cases()) : Json()},
          {"best_index", study.best_index() < 0 ? Json() : Json(study.best_index())},
          {"best", ToJson(study.best())},
          {"default", ToJson(study.default_measurement())},
          {"objective", ObjectiveJson(study)},
          {"best_metrics", MetricsJson(study.best_metrics())},
          {"default_metrics", MetricsJson(study.default_metrics())},
          {"gain_over_default", study.gain_over_default()},
          {"gain_over_sequential", study.gain_over_sequential()},
          {"roofline", RooflineJson(study, best == nullptr ? 0 : best->median())},
          {"confirmation", study.has_confirmation() ? ToJson(study.confirmation()) : Json()},
          {"created", study.created_unix_ms()},
          {"finished", TimeOrNull(study.finished_unix_ms())},
          {"region", ToJson(study.region())},
          {"note", study.space_note()},
          {"warnings", std::vector<std::string>(study.warnings().begin(), study.warnings().end())},
          {"provenance", study.has_provenance() ? Provenance(study.provenance()) : Json()}};
}

Json ToJson(const v1::Evaluation& evaluation) {
  Json stages = Json::object();
  for (const auto& stage : evaluation.stages()) stages[stage.stage()] = stage.seconds();
  const int64_t duplicate = evaluation.duplicate_of_plus_one();
  return {{"outcome", Text(OutcomeName(evaluation.outcome()))},
          {"message", evaluation.message()},
          {"log", evaluation.log()},
          {"measurement", ToJson(evaluation.measurement())},
          {"metrics", MetricsJson(evaluation.metrics())},
          {"errors", List(evaluation.errors())},
          {"code", evaluation.code()},
          {"code_compared", evaluation.comparison().same()},
          {"duplicate_of", duplicate == 0 ? Json() : Json(duplicate - 1)},
          {"stages", stages},
          {"worker", evaluation.worker()},
          {"compile_command", evaluation.compile_command()},
          {"device_file", evaluation.device_file()},
          {"kernels", List(evaluation.kernels())},
          {"device", evaluation.device()}};
}

Json ToJson(const v1::Candidate& candidate) {
  return {{"index", candidate.index()},
          {"origin", OriginWord(candidate.origin())},
          {"state", Text(CandidateStateName(candidate.state()))},
          {"attempts", candidate.attempts()},
          {"lost", candidate.lost()},
          {"configuration", ToJson(candidate.configuration())},
          {"evaluation", candidate.has_evaluation() ? ToJson(candidate.evaluation()) : Json()},
          {"created", candidate.created_unix_ms()},
          {"evaluated", TimeOrNull(candidate.evaluated_unix_ms())}};
}

Json ToJson(const v1::WorkerView& worker) {
  return {{"name", worker.name()},
          {"state", WorkerStateWord(worker.state())},
          {"note", worker.note()},
          {"devices", List(worker.devices())},
          {"last_seen", TimeOrNull(worker.last_seen_unix_ms())},
          {"running", worker.running()},
          {"evaluations", worker.evaluations()},
          {"failures", worker.failures()},
          {"refused", worker.refused()}};
}

Json ToJson(const v1::ServerInfo& info) {
  return {{"version", info.version()},
          {"database", info.database()},
          {"schema_version", info.schema_version()},
          {"database_bytes", info.database_bytes()},
          {"started", info.started_unix_ms()},
          {"studies", info.studies()},
          {"workers", info.workers()}};
}

std::string PrintJson(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune
