#include "client/exchange/case_formats.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/evaluation/study_result.h"
#include "common/json/message_json.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

constexpr char kBlock[] = "block_size_", kTile[] = "tile_size_";
constexpr int64_t kMostThreads = 1024;  // of a block, along one axis as well

// What a configuration says of one kernel.
struct KernelShape {
  std::map<int, int64_t> block, tile;  // by member of the band
  int64_t strip = 0;
};

std::map<std::string, KernelShape> ShapesOf(const v1::Configuration& configuration) {
  std::map<std::string, KernelShape> shapes;
  for (const v1::Decision& decision : configuration.decisions()) {
    const size_t point = decision.key().rfind('.');
    int64_t value = 0;
    if (point == std::string::npos || !absl::SimpleAtoi(decision.option(), &value)) continue;
    KernelShape& shape = shapes[decision.key().substr(0, point)];
    absl::string_view name = absl::string_view(decision.key()).substr(point + 1);
    int member = 0;
    if (name == "inner_tile") shape.strip = value;
    if (absl::ConsumePrefix(&name, kBlock) && absl::SimpleAtoi(name, &member)) shape.block[member] = value;
    if (absl::ConsumePrefix(&name, kTile) && absl::SimpleAtoi(name, &member)) shape.tile[member] = value;
  }
  return shapes;
}

Json FormatJson(const v1::CaseFormat& format) {
  Json parameters = Json::object(), block = Json::array();
  for (const v1::ParameterValue& value : format.parameters()) parameters[value.name()] = value.value();
  for (const int64_t threads : format.block()) block.push_back(threads);
  return {{"kernel", format.kernel()},   {"device", format.device()},
          {"parameters", parameters},    {"block", block},
          {"points", format.points()},   {"strip", format.strip()},
          {"seconds", format.seconds()}, {"source", format.source()}};
}

// An integer of [low, high], or nothing.
std::optional<int64_t> IntegerOf(const Json& json, const char* name, int64_t low, int64_t high) {
  const auto field = json.find(name);
  if (field == json.end() || !field->is_number_integer()) return std::nullopt;
  const auto value = field->get<int64_t>();
  return value < low || value > high ? std::nullopt : std::optional<int64_t>(value);
}

std::optional<std::string> TextOf(const Json& json, const char* name) {
  const auto field = json.find(name);
  return field == json.end() || !field->is_string() ? std::nullopt
                                                    : std::optional<std::string>(field->get<std::string>());
}

bool ReadFormat(const Json& json, v1::CaseFormat* format) {
  if (!json.is_object()) return false;
  const auto kernel = TextOf(json, "kernel"), device = TextOf(json, "device");
  const auto points = IntegerOf(json, "points", 1, 1 << 20), strip = IntegerOf(json, "strip", 0, 1 << 20);
  const auto parameters = json.find("parameters"), block = json.find("block");
  if (!kernel || !device || !points || !strip || parameters == json.end() || !parameters->is_object() ||
      block == json.end() || !block->is_array() || block->empty() || block->size() > 3)
    return false;
  format->set_kernel(*kernel);
  format->set_device(*device);
  format->set_points(*points);
  format->set_strip(*strip);
  format->set_source(TextOf(json, "source").value_or(""));
  if (const auto seconds = json.find("seconds"); seconds != json.end() && seconds->is_number())
    format->set_seconds(seconds->get<double>());
  for (const Json& threads : *block) {
    if (!threads.is_number_integer() || threads.get<int64_t>() < 1 || threads.get<int64_t>() > kMostThreads)
      return false;
    format->add_block(threads.get<int64_t>());
  }
  for (const auto& [name, value] : parameters->items()) {
    if (!value.is_number_integer()) return false;
    v1::ParameterValue& parameter = *format->add_parameters();
    parameter.set_name(name);
    parameter.set_value(value.get<int64_t>());
  }
  return true;
}

}  // namespace

v1::CaseFormats CaseFormatsOf(const v1::Study& study, const v1::Configuration& best) {
  v1::CaseFormats formats;
  if (study.device().target() != v1::CUDA || study.best_index() < 0) return formats;
  for (const auto& [kernel, shape] : ShapesOf(best)) {
    if (shape.block.empty() || shape.block.size() > 3) continue;
    v1::CaseFormat& format = *formats.add_formats();
    format.set_kernel(kernel);
    format.set_device(study.device().model());
    *format.mutable_parameters() = study.reference().parameters();
    for (const auto& [member, threads] : shape.block) format.add_block(threads);
    const auto [last, threads] = *shape.block.rbegin();
    const auto tile = shape.tile.find(last);
    format.set_points(tile == shape.tile.end() || threads < 1 ? 1
                                                              : std::max<int64_t>(1, tile->second / threads));
    format.set_strip(shape.strip);
    if (const v1::Measurement* measured = BestMeasurement(study)) format.set_seconds(measured->median());
    format.set_source(study.id());
  }
  return formats;
}

std::string PrintCaseFormats(const v1::CaseFormats& formats) {
  Json json = {{"tuned", {{"case_formats", 1}, {"version", kVersion}}}, {"formats", Json::array()}};
  for (const v1::CaseFormat& format : formats.formats()) json["formats"].push_back(FormatJson(format));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<v1::CaseFormats> ParseCaseFormats(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  const bool is_object = json.is_object() && json.contains("tuned") && json["tuned"].is_object();
  if (!is_object || IntegerOf(json["tuned"], "case_formats", 1, 1) != 1 || !json.contains("formats") ||
      !json["formats"].is_array()) {
    return absl::InvalidArgumentError(
        "no formats of `tunectl export --format cases`, or those of a newer version");
  }
  v1::CaseFormats formats;
  for (const Json& one : json["formats"]) {
    if (ReadFormat(one, formats.add_formats())) continue;
    return absl::InvalidArgumentError(absl::StrCat("format ", formats.formats_size(),
                                                   " has not kernel, device, parameters, 1 to 3 numbers of "
                                                   "threads as block, points and strip"));
  }
  return formats;
}

}  // namespace tune
