#include "common/json/message_json.h"

#include <algorithm>

#include "common/evaluation/compared_times.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/evaluation/roofline.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

Json PositiveOrNull(double value) { return value > 0 ? Json(value) : Json(); }

Json Times(const v1::ComparedTimes& times) {
  return {{"runs", times.runs()},
          {"original_seconds", times.original_seconds()},
          {"tuned_seconds", times.tuned_seconds()},
          {"ratio", times.ratio()},
          {"ratio_low", times.ratio_low()},
          {"ratio_high", times.ratio_high()},
          {"verdict", std::string(SpeedVerdict(times))}};
}

Json Check(const v1::ProgramCheck& check) {
  const bool run = check.outcome() != v1::OUTCOME_UNSPECIFIED;
  return {{"index", check.index()},
          {"outcome", run ? Json(std::string(OutcomeName(check.outcome()))) : Json()},
          {"message", check.message()},
          {"seconds", PositiveOrNull(check.seconds())},
          {"beside_others", check.beside_others()},
          {"fresh", check.has_fresh() ? Times(check.fresh()) : Json()},
          {"warm", check.has_warm() ? Times(check.warm()) : Json()}};
}

}  // namespace

Json ToJson(const v1::Measurement& measurement) {
  if (measurement.samples().empty() && measurement.median() <= 0) return Json();
  return {{"samples", std::vector<double>(measurement.samples().begin(), measurement.samples().end())},
          {"median", measurement.median()},
          {"confidence_low", measurement.confidence_low()},
          {"confidence_high", measurement.confidence_high()},
          {"joules", measurement.joules() > 0 ? Json(measurement.joules()) : Json()}};
}

Json MetricsJson(const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics) {
  Json json = Json::object();
  for (const v1::MetricValue& metric : metrics) json[metric.name()] = metric.value();
  return json;
}

Json ObjectiveJson(const v1::Study& study) {
  const std::string name = ObjectiveOf(study.search());
  const auto known = [](double quantity) { return quantity != 0 ? Json(quantity) : Json(); };
  return {{"name", name},
          {"unit", UnitOf(name)},
          {"maximise", study.search().maximise()},
          {"best", known(BestQuantity(study))},
          {"default", known(DefaultQuantity(study))},
          {"gain_over_default", PositiveOrNull(GainByObjective(study))}};
}

Json ToJson(const v1::Configuration& configuration) {
  Json list = Json::array();
  for (const auto& decision : configuration.decisions()) {
    list.push_back({{"key", decision.key()}, {"option", decision.option()}});
  }
  return list;
}

Json ToJson(const v1::Reference& reference) {
  Json parameters = Json::object(), arrays = Json::object();
  for (const auto& value : reference.parameters()) parameters[value.name()] = value.value();
  for (const auto& array : reference.arrays()) {
    arrays[array.name()] = std::vector<int64_t>(array.extents().begin(), array.extents().end());
  }
  return {{"parameters", parameters},
          {"arrays", arrays},
          {"sequential_seconds", reference.sequential_seconds()},
          {"executions", reference.executions()},
          {"seeded", reference.seeded()},
          {"silent", reference.silent()},
          {"memory_bytes", reference.memory_bytes()},
          {"work", reference.has_work() ? ToJson(reference.work()) : Json()}};
}

Json ToJson(const v1::Confirmation& confirmation) {
  Json candidates = Json::array();
  for (const auto& candidate : confirmation.candidates()) {
    candidates.push_back({{"index", candidate.index()},
                          {"measurement", ToJson(candidate.measurement())},
                          {"message", candidate.message()}});
  }
  return {{"candidates", candidates},
          {"equal_to_best",
           std::vector<int64_t>(confirmation.equal_to_best().begin(), confirmation.equal_to_best().end())},
          {"check", confirmation.has_check() ? Check(confirmation.check()) : Json()},
          {"worker", confirmation.worker()},
          {"sequential", ToJson(confirmation.sequential())}};
}

Json ToJson(const v1::ArrayError& error) {
  Json json = {{"array", error.array()},
               {"relative_l2", error.relative_l2()},
               {"largest", error.largest()},
               {"exceeded", error.exceeded()}};
  if (error.exceeded()) {
    json["first_differing_index"] =
        std::vector<int64_t>(error.first_differing_index().begin(), error.first_differing_index().end());
    json["expected"] = error.expected();
    json["found"] = error.found();
  }
  return json;
}

Json ToJson(const v1::KernelEvaluation& kernel) {
  Json metrics = Json::array();
  for (const v1::Metric& metric : kernel.metrics()) {
    metrics.push_back(
        {{"name", metric.name()}, {"value", metric.value()}, {"normalised", metric.normalised()}});
  }
  return {{"name", kernel.name()},
          {"function", kernel.function()},
          {"launches", kernel.launches()},
          {"seconds", kernel.seconds() > 0 ? Json(kernel.seconds()) : Json()},
          {"threads_per_block", kernel.threads_per_block()},
          {"registers", kernel.registers()},
          {"shared_bytes", kernel.shared_bytes()},
          {"local_bytes", kernel.local_bytes()},
          {"blocks_per_multiprocessor", kernel.blocks_per_multiprocessor()},
          {"metrics", metrics}};
}

Json ToJson(const v1::SourceRegion& region) {
  if (region.file().empty()) return Json();
  return {{"file", region.file()},
          {"function", region.function()},
          {"begin_line", region.begin_line()},
          {"end_line", region.end_line()}};
}

Json ToJson(const v1::GraphEdge& edge) {
  const std::map<std::string, int64_t> next(edge.next().begin(), edge.next().end());
  return {{"key", edge.key()},
          {"option", edge.option()},
          {"pheromone", edge.pheromone()},
          {"desirability", edge.desirability()},
          {"visits", edge.visits()},
          {"next", next.empty() ? Json::object() : Json(next)}};
}

Json ToJson(const v1::ExplainedOption& option) {
  return {{"option", option.option()},
          {"pheromone", option.pheromone()},
          {"desirability", option.desirability()},
          {"probability", option.probability()},
          {"closed", option.closed()}};
}

Json ToJson(const v1::CarveOptions& carve) {
  return {{"inspections", carve.inspections()},
          {"margin", carve.margin()},
          {"uncoalesced", carve.has_uncoalesced() ? Json(carve.uncoalesced()) : Json()},
          {"bandwidth", carve.has_bandwidth() ? Json(carve.bandwidth()) : Json()},
          {"bytes", carve.has_bytes() ? Json(carve.bytes()) : Json()},
          {"keep_all", carve.keep_all()}};
}

Json ToJson(const v1::SearchOptions& search) {
  return {{"strategy", search.strategy()},
          {"seed", search.seed()},
          {"evaluations", search.evaluations()},
          {"ants", search.ants()},
          {"iterations", search.iterations()},
          {"alpha", search.alpha()},
          {"beta", search.beta()},
          {"rho", search.rho()},
          {"tau_min", search.tau_min()},
          {"tau_max", search.tau_max()},
          {"confirm", search.confirm()},
          {"level", search.level()},
          {"no_kernel_updates", search.no_kernel_updates()},
          {"no_metrics", search.no_metrics()},
          {"no_tree", search.no_tree()},
          {"count_all", search.count_all()},
          {"sigma", search.sigma()},
          {"base_offset", search.base_offset()},
          {"seconds", search.seconds()},
          {"objective", ObjectiveOf(search)},
          {"maximise", search.maximise()},
          {"energy", search.energy()},
          {"carve", search.has_carve() ? ToJson(search.carve()) : Json()}};
}

Json InspectionsJson(const v1::Study& study) {
  if (!study.has_inspections()) return Json();
  const v1::InspectionSummary& summary = study.inspections();
  return {{"planned", summary.planned()},
          {"whole_space", summary.whole_space()},
          {"inspected", summary.inspected()},
          {"failed", summary.failed()},
          {"removed", summary.removed()}};
}

Json ToJson(const v1::RegionWork& work) {
  return {{"float_operations", work.float_operations()},
          {"double_operations", work.double_operations()},
          {"read_bytes", work.read_bytes()},
          {"written_bytes", work.written_bytes()}};
}

Json ToJson(const v1::PeakRates& peaks) {
  return {{"float_operations", PositiveOrNull(peaks.float_operations())},
          {"double_operations", PositiveOrNull(peaks.double_operations())},
          {"memory_bytes", PositiveOrNull(peaks.memory_bytes())},
          {"cache_bytes", PositiveOrNull(peaks.cache_bytes())},
          {"cache_size", peaks.cache_size() > 0 ? Json(peaks.cache_size()) : Json()}};
}

Json RooflineJson(const v1::Study& study, double seconds) {
  const std::optional<Roofline> bound = RooflineOf(study);
  if (!bound.has_value() || seconds <= 0) return Json();
  const double share = bound->bound_seconds / seconds;
  const char* limit = bound->limit == Roofline::Limit::kOperations ? "operations"
                      : bound->limit == Roofline::Limit::kMemory   ? "memory"
                                                                   : "cache";
  return {{"bound_seconds", bound->bound_seconds},
          {"limit", limit},
          {"amount", bound->amount},
          {"peak", bound->peak},
          {"share", share},
          {"doubtful", share > kDoubtfulShare}};
}

Json ResultJson(const v1::Study& study) {
  const ResultTimes times = TimesOfResult(study);
  const bool failed = HasFailedInProgram(study);
  if (!failed && !times.known()) return Json();
  const v1::ComparedTimes& compared = times.compared;
  return {{"faster", !IsNotFaster(study)},
          {"of", failed || times.in_program ? "program" : "region"},
          {"execution", !times.in_program ? Json() : Json(times.later ? "later" : "first")},
          {"gain", !IsNoGain(study)},
          {"verdict", failed ? "failed" : std::string(SpeedVerdict(compared))},
          {"ratio", PositiveOrNull(compared.ratio())},
          {"ratio_low", PositiveOrNull(compared.ratio_low())},
          {"ratio_high", PositiveOrNull(compared.ratio_high())},
          {"original_seconds", PositiveOrNull(compared.original_seconds())},
          {"tuned_seconds", PositiveOrNull(compared.tuned_seconds())},
          {"host_seconds", PositiveOrNull(times.host)},
          {"device_seconds", PositiveOrNull(times.device)},
          {"device_seconds_with_copies", PositiveOrNull(times.device_with_copies)}};
}

Json ToJson(const v1::CudaDevice& cuda) {
  return {{"ordinal", cuda.ordinal()},
          {"uuid", cuda.uuid()},
          {"compute_capability",
           absl::StrCat(cuda.compute_capability_major(), ".", cuda.compute_capability_minor())},
          {"max_threads_per_block", cuda.max_threads_per_block()},
          {"max_threads_per_multiprocessor", cuda.max_threads_per_multiprocessor()},
          {"max_blocks_per_multiprocessor", cuda.max_blocks_per_multiprocessor()},
          {"registers_per_multiprocessor", cuda.registers_per_multiprocessor()},
          {"shared_bytes_per_block", cuda.shared_bytes_per_block()},
          {"shared_bytes_per_block_optin", cuda.shared_bytes_per_block_optin()},
          {"shared_bytes_per_multiprocessor", cuda.shared_bytes_per_multiprocessor()},
          {"reserved_shared_bytes_per_block", cuda.reserved_shared_bytes_per_block()},
          {"l2_bytes", cuda.l2_bytes()},
          {"clock_khz", cuda.clock_khz()},
          {"memory_clock_khz", cuda.memory_clock_khz()},
          {"memory_bus_bits", cuda.memory_bus_bits()},
          {"driver_version", cuda.driver_version()},
          {"cooperative_launch", cuda.cooperative_launch()}};
}

Json DeviceJson(const v1::Device& device, const std::string& target_word) {
  return {{"target", target_word},
          {"model", device.model()},
          {"cores", device.cores()},
          {"memory_bytes", device.memory_bytes()},
          {"compiler", device.compiler()},
          {"operating_system", device.operating_system()},
          {"slots", std::max(1, device.slots())},
          {"cuda", device.has_cuda() ? ToJson(device.cuda()) : Json()},
          {"quarantine", device.quarantine()},
          {"ppcg", device.ppcg()},
          {"peaks", device.has_peaks() ? ToJson(device.peaks()) : Json()}};
}

Json OutcomesJson(const v1::Study& study) {
  Json outcomes = Json::object();
  for (const auto& count : study.outcomes())
    outcomes[std::string(OutcomeName(count.outcome()))] = count.count();
  return outcomes;
}

Json TimeOrNull(int64_t unix_ms) { return unix_ms == 0 ? Json() : Json(unix_ms); }

std::string PrintJsonLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune
