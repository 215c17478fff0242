#include "server/dashboard/message_json.h"

#include "absl/strings/ascii.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/outcome.h"
#include "common/evaluation/rounding.h"
#include "common/evaluation/study_result.h"
#include "common/json/case_json.h"

namespace tune {
namespace {

std::string Own(absl::string_view word) { return std::string(word); }

Json PositiveOrNull(double value) { return value > 0 ? Json(value) : Json(); }

Json ProvenanceJson(const v1::Study& study) {
  if (!study.has_provenance()) return Json();
  const v1::Provenance& from = study.provenance();
  return {{"format", from.format()},
          {"server", from.server()},
          {"study_id", from.study_id()},
          {"fingerprint", from.fingerprint()},
          {"imported", TimeOrNull(from.imported_unix_ms())}};
}

// The confirmed measurement of a candidate; null when it has none.
const v1::Measurement* Confirmed(const v1::Study& study, int64_t index) {
  for (const v1::ConfirmedCandidate& candidate : study.confirmation().candidates()) {
    if (candidate.index() == index && candidate.measurement().median() > 0) return &candidate.measurement();
  }
  return nullptr;
}

const v1::Measurement& ConfirmedOr(const v1::Study& study, int64_t index, const v1::Measurement& otherwise) {
  const v1::Measurement* confirmed = Confirmed(study, index);
  return confirmed != nullptr ? *confirmed : otherwise;
}

}  // namespace

double BestSeconds(const v1::Study& study) {
  const v1::Measurement* best = BestMeasurement(study);
  return best == nullptr ? 0 : best->median();
}

double DefaultSeconds(const v1::Study& study) {
  return ConfirmedOr(study, 0, study.default_measurement()).median();
}

double SequentialSeconds(const v1::Study& study) {
  const double confirmed = study.confirmation().sequential().median();
  return confirmed > 0 ? confirmed : study.reference().sequential_seconds();
}

std::string TargetName(v1::Target target) {
  return target == v1::TARGET_UNSPECIFIED ? "" : absl::AsciiStrToLower(v1::Target_Name(target));
}

Json DeviceJson(const v1::Device& device) { return DeviceJson(device, TargetName(device.target())); }

Json EvaluationJson(const v1::Evaluation& evaluation) {
  Json errors = Json::array(), stages = Json::array(), kernels = Json::array();
  for (const auto& error : evaluation.errors()) errors.push_back(ToJson(error));
  for (const auto& stage : evaluation.stages()) {
    stages.push_back({{"stage", stage.stage()}, {"seconds", stage.seconds()}});
  }
  for (const auto& kernel : evaluation.kernels()) kernels.push_back(ToJson(kernel));
  const int64_t duplicate = evaluation.duplicate_of_plus_one() - 1;
  return {{"outcome", Own(OutcomeName(evaluation.outcome()))},
          {"message", evaluation.message()},
          {"measurement", ToJson(evaluation.measurement())},
          {"metrics", MetricsJson(evaluation.metrics())},
          {"errors", errors},
          {"duplicate_of", duplicate < 0 ? Json() : Json(duplicate)},
          {"stages", stages},
          {"worker", evaluation.worker()},
          {"device", evaluation.device()},
          {"compile_command", evaluation.compile_command()},
          {"kernels", kernels}};
}

Json WorkerJson(const v1::WorkerView& worker) {
  Json devices = Json::array();
  for (const v1::Device& device : worker.devices()) devices.push_back(DeviceJson(device));
  return {{"name", worker.name()},
          {"state", absl::AsciiStrToLower(v1::WorkerView::State_Name(worker.state()))},
          {"note", worker.note()},
          {"devices", devices},
          {"last_seen", TimeOrNull(worker.last_seen_unix_ms())},
          {"running", worker.running()},
          {"evaluations", worker.evaluations()},
          {"failures", worker.failures()},
          {"refused", worker.refused()}};
}

Json StudyRowJson(const v1::Study& study) {
  return {{"id", study.id()},
          {"name", study.name()},
          {"owner", study.owner()},
          {"state", Own(StudyStateName(study.state()))},
          {"result", ResultJson(study)},
          {"failure", study.failure()},
          {"target", TargetName(study.target())},
          {"generator", GeneratorOf(study.generator())},
          {"rounding", RoundingName(study.rounding())},
          {"device", study.device().model()},
          {"evaluated", study.evaluated()},
          {"budget", study.budget()},
          {"outcomes", OutcomesJson(study)},
          {"best_index", study.best_index() < 0 ? Json() : Json(study.best_index())},
          {"best_seconds", PositiveOrNull(BestSeconds(study))},
          {"default_seconds", PositiveOrNull(DefaultSeconds(study))},
          {"sequential_seconds", PositiveOrNull(SequentialSeconds(study))},
          {"objective", ObjectiveJson(study)},
          {"gain_over_default", PositiveOrNull(study.gain_over_default())},
          {"gain_over_sequential", PositiveOrNull(study.gain_over_sequential())},
          {"created", study.created_unix_ms()},
          {"finished", TimeOrNull(study.finished_unix_ms())}};
}

Json StudyJson(const v1::Study& study) {
  Json json = StudyRowJson(study);
  json["failure_log"] = study.failure_log();
  json["device"] = study.has_device() ? DeviceJson(study.device()) : Json();
  json["search"] = ToJson(study.search());
  json["reference"] = study.has_reference() ? ToJson(study.reference()) : Json();
  json["duplicates"] = study.duplicates();
  json["inspections"] = InspectionsJson(study);
  json["cases"] = study.has_cases() ? CaseDiscussionJson(study.cases()) : Json();
  json["best"] = ToJson(ConfirmedOr(study, study.best_index(), study.best()));
  json["default"] = ToJson(ConfirmedOr(study, 0, study.default_measurement()));
  json["best_metrics"] = MetricsJson(study.best_metrics());
  json["default_metrics"] = MetricsJson(study.default_metrics());
  json["roofline"] = RooflineJson(study, BestSeconds(study));
  json["confirmation"] = study.has_confirmation() ? ToJson(study.confirmation()) : Json();
  json["region"] = ToJson(study.region());
  json["note"] = study.space_note();
  json["warnings"] = Json::array();
  for (const std::string& warning : study.warnings()) json["warnings"].push_back(warning);
  json["provenance"] = ProvenanceJson(study);
  return json;
}

std::string OriginText(v1::Origin origin) {
  return origin == v1::REPLAY ? "replay" : origin == v1::ONLINE ? "online" : "search";
}

Json CandidateRowJson(const CandidateTable& table, const CandidateRow& row) {
  const bool evaluated = row.outcome != v1::OUTCOME_UNSPECIFIED;
  Json metrics = Json::object();
  for (const auto& [number, value] : row.metrics) metrics[table.metrics[number]] = value;
  return {{"index", row.index},
          {"origin", OriginText(row.origin)},
          {"state", Own(CandidateStateName(row.state))},
          {"outcome", evaluated ? Json(Own(OutcomeName(row.outcome))) : Json()},
          {"seconds", PositiveOrNull(row.seconds)},
          {"confidence_low", PositiveOrNull(row.confidence_low)},
          {"confidence_high", PositiveOrNull(row.confidence_high)},
          {"joules", PositiveOrNull(row.joules)},
          {"metrics", metrics},
          {"objective", row.objective != 0 ? Json(row.objective) : Json()},
          {"best_so_far", PositiveOrNull(row.best_so_far)},
          {"created", TimeOrNull(row.created_unix_ms)},
          {"evaluated", TimeOrNull(row.evaluated_unix_ms)},
          {"duplicate_of", row.duplicate_of < 0 ? Json() : Json(row.duplicate_of)},
          {"worker", row.worker},
          {"message", row.message}};
}

}  // namespace tune
