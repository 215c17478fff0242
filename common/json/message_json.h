// Messages as JSON, for `tunectl --json` and for the page alike. Field names are stable: they are added to,
// never renamed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tune/v1/device.pb.h"
#include "tune/v1/explanation.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Order of fields is kept, so that output reads like the tables.
using Json = nlohmann::ordered_json;

// {"samples":[...],"median":s,"confidence_low":s,"confidence_high":s}, null without samples.
Json ToJson(const v1::Measurement& measurement);
// Names and values.
Json MetricsJson(const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics);
// By what a study's candidates are compared: name, unit ("s", "J", "W", "J s"; "" of metrics), maximise, best
// and default (the quantity; null: not known), gain_over_default (by the objective; null: not known).
Json ObjectiveJson(const v1::Study& study);
// [{"key":...,"option":...}, ...] in the order of the walk.
Json ToJson(const v1::Configuration& configuration);
// parameters and arrays by name, sequential_seconds, executions, seeded, silent, memory_bytes, work (null:
// not counted).
Json ToJson(const v1::Reference& reference);
// candidates (index, measurement, message), equal_to_best, check (null when there was none), worker,
// sequential.
Json ToJson(const v1::Confirmation& confirmation);
// array, relative_l2, largest, exceeded; where it is, also first_differing_index, expected, found.
Json ToJson(const v1::ArrayError& error);
// name, function, launches, seconds (null when not known), threads_per_block, registers, shared_bytes,
// local_bytes, blocks_per_multiprocessor, metrics (name, value, normalised).
Json ToJson(const v1::KernelEvaluation& kernel);
// file, function, begin_line, end_line; null when the file is not known.
Json ToJson(const v1::SourceRegion& region);
// key, option, pheromone, desirability, visits, next (visits by key).
Json ToJson(const v1::GraphEdge& edge);
// option, pheromone, desirability, probability, closed.
Json ToJson(const v1::ExplainedOption& option);
// Every option by its name in the protocol.
Json ToJson(const v1::CarveOptions& carve);
Json ToJson(const v1::SearchOptions& search);
// null: nothing is inspected.
Json InspectionsJson(const v1::Study& study);
// The driver's facts by their names in the protocol, compute_capability as "9.0".
Json ToJson(const v1::CudaDevice& cuda);
// {"float_operations":...,"double_operations":...,"read_bytes":...,"written_bytes":...}.
Json ToJson(const v1::RegionWork& work);
// Rates a second by their names in the protocol, null those that were not measured.
Json ToJson(const v1::PeakRates& peaks);
// {"bound_seconds":...,"limit":"operations"|"memory"|"cache","amount":...,"peak":...,"share":...,"doubtful":...},
// share and doubtful of a time of `seconds`; null without a bound or a time (RooflineOf).
Json RooflineJson(const v1::Study& study, double seconds);
// What a study gained over the user's program: faster (with 95% confidence), gain (!IsNoGain), of ("program",
// or "region" where that was not run), execution ("first" or "later", of the region in the program), verdict
// ("faster", "slower", "cannot be told apart", "failed"), ratio, ratio_low, ratio_high, original_seconds,
// tuned_seconds; on GPUs host_seconds, device_seconds and device_seconds_with_copies, else null. Null while
// nothing is known.
Json ResultJson(const v1::Study& study);
// target, which is `target_word`, model, cores, memory_bytes, compiler, operating_system, slots, cuda (null
// on others), quarantine (why it gets no leases, empty when it does), ppcg, peaks (null: not measured).
Json DeviceJson(const v1::Device& device, const std::string& target_word);
// Counts of a study's outcomes, by name.
Json OutcomesJson(const v1::Study& study);

// A time of the protocol, of which 0 means "not set".
Json TimeOrNull(int64_t unix_ms);

// One line and its end, for answers and streams; text that is not UTF-8 is replaced, never an exception.
std::string PrintJsonLine(const Json& json);

}  // namespace tune
