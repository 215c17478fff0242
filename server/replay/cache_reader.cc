#include "server/replay/cache_reader.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/strings/match.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/foreign_quantity.h"
#include "server/replay/recorded_outcome.h"

namespace tune {
namespace {

using Json = nlohmann::ordered_json;

// What the parser tells of, with the depth of what it is in: 1 within the whole.
class Events {
 public:
  virtual ~Events() = default;

  bool null() { return Scalar("null", std::nullopt); }
  bool boolean(bool value) { return Scalar(value ? "true" : "false", std::nullopt); }
  bool number_integer(Json::number_integer_t value) {
    return wants_text() ? Scalar(absl::StrCat(value), static_cast<double>(value)) : Scalar("", std::nullopt);
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return wants_text() ? Scalar(absl::StrCat(value), static_cast<double>(value)) : Scalar("", std::nullopt);
  }
  bool number_float(double value, const std::string&) {
    return wants_text() ? Scalar(Json(value).dump(), value) : Scalar("", std::nullopt);
  }
  bool string(std::string& value) { return Scalar(std::move(value), std::nullopt); }
  bool binary(Json::binary_t&) { return true; }  // JSON has none
  bool start_object(size_t) { return Start(/*is_object=*/true, depth_++); }
  bool start_array(size_t) { return Start(/*is_object=*/false, depth_++); }
  bool end_object() { return End(--depth_); }
  bool end_array() { return End(--depth_); }
  bool key(std::string& name) { return Key(std::move(name), depth_); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) {
    return Fail(error.what());
  }

  const absl::Status& status() const { return status_; }

 protected:
  // False ends the parse.
  virtual bool Start(bool is_object, int depth) = 0;
  virtual bool End(int depth) = 0;
  virtual bool Key(std::string name, int depth) = 0;
  virtual bool Scalar(std::string text, std::optional<double> number) = 0;
  // Whether somebody looks at the number that comes: to write it costs more than to skip it.
  virtual bool wants_text() const = 0;

  int depth() const { return depth_; }
  bool Fail(absl::string_view why) {
    status_ = absl::InvalidArgumentError(why);
    return false;
  }

 private:
  int depth_ = 0;
  absl::Status status_;
};

class FormatEvents : public Events {
 public:
  RecordedFormat format;

 private:
  bool Start(bool is_object, int depth) override {
    if (depth == 0) return format.is_object = is_object;
    if (depth != 1) return true;
    in_names_ = key_ == "tune_params_keys" && !is_object;
    in_objectives_ = key_ == "objective" && !is_object;
    in_tuned_ = key_ == "tuned" && is_object;
    return true;
  }
  bool End(int depth) override {
    if (depth != 1) return true;
    in_objectives_ = in_tuned_ = false;
    if (!in_names_) return true;
    in_names_ = false;
    format.has_names = true;
    return !format.has_cache;
  }
  bool Key(std::string name, int depth) override {
    if (depth == 2) own_key_ = name;
    if (depth != 1) return true;
    key_ = std::move(name);
    format.has_results |= key_ == "results";
    format.has_cache |= key_ == "cache";
    return !format.has_results && !(format.has_cache && format.has_names);
  }
  bool Scalar(std::string text, std::optional<double> number) override {
    const bool is_name = format.objective.empty() && !number.has_value();
    if (is_name && key_ == "objective" && depth() == (in_objectives_ ? 2 : 1)) format.objective = text;
    if (in_tuned_ && depth() == 2 && own_key_ == "maximise") format.maximise = text == "true";
    if (in_names_ && depth() == 2) format.names.push_back(std::move(text));
    return depth() > 0;
  }
  bool wants_text() const override { return in_names_; }

  std::string key_, own_key_;  // of the whole; within one of its objects
  bool in_names_ = false, in_objectives_ = false, in_tuned_ = false;
};

class CacheEvents : public Events {
 public:
  CacheEvents(const std::vector<std::string>& names, const v1::SearchOptions& search)
      : names_(names), search_(search), reads_quantities_(!IsTimeObjective(search)), options_(names.size()) {}

  std::vector<RecordedCandidate> candidates;

 private:
  static constexpr int kOther = -1;  // fields
  static constexpr int kTime = -2;
  static constexpr int kQuantity = -3;

  bool Start(bool is_object, int depth) override {
    if (depth == 1 && in_cache_ && !is_object) return Fail("cache: must be an object");
    if (depth == 2 && in_cache_) return StartEntry();
    if (depth == 3 && in_cache_ && field_ != kOther && field_ != kQuantity)
      return Refuse(absl::StrCat(NameOf(field_), IsNoScalar()));
    return true;
  }
  bool End(int depth) override { return depth != 2 || !in_cache_ || EndEntry(); }
  bool Key(std::string name, int depth) override {
    if (depth == 1) in_cache_ = name == "cache";
    if (depth == 2) entry_ = std::move(name);
    if (depth == 3 && in_cache_) field_ = FieldOf(name);
    if (depth == 3 && in_cache_ && field_ == kQuantity) quantity_ = std::move(name);
    return true;
  }
  bool Scalar(std::string text, std::optional<double> number) override {
    if (!in_cache_ || depth() > 3) return true;
    if (depth() == 1) return Fail("cache: must be an object");
    if (depth() == 2) return Refuse("must be an object");
    if (field_ == kTime) {
      time_ = std::move(text);
      seconds_ = number;
    } else if (field_ == kQuantity) {
      if (number.has_value()) quantities_.emplace_back(quantity_, *number);
    } else if (field_ != kOther) {
      options_[field_] = std::move(text);
    }
    return true;
  }
  bool wants_text() const override { return in_cache_ && depth() == 3 && field_ != kOther; }

  static const char* IsNoScalar() {
    return " is a list or an object; it must be a number, text, true or false";
  }
  std::string NameOf(int field) const { return field == kTime ? "time" : names_[field]; }
  bool Refuse(absl::string_view why) { return Fail(absl::StrCat("cache[\"", entry_, "\"]: ", why)); }

  // Entries mostly have the parameters in their order.
  int FieldOf(const std::string& name) {
    for (size_t i = 0; i < names_.size(); ++i) {
      const size_t field = (next_ + i) % names_.size();
      if (names_[field] != name) continue;
      next_ = field + 1;
      return static_cast<int>(field);
    }
    if (name == "time") return kTime;
    return reads_quantities_ && !absl::EndsWith(name, "_time") ? kQuantity : kOther;
  }

  bool StartEntry() {
    options_.assign(names_.size(), std::nullopt);
    time_.reset();
    quantities_.clear();
    next_ = 0;
    return true;
  }

  bool EndEntry() {
    RecordedCandidate& candidate = candidates.emplace_back();
    candidate.decisions.reserve(names_.size());
    for (size_t i = 0; i < names_.size(); ++i) {
      if (!options_[i].has_value()) return Refuse(absl::StrCat("has no ", names_[i]));
      candidate.decisions.emplace_back(names_[i], *std::move(options_[i]));
    }
    if (!time_.has_value()) return Refuse("has no time");
    const bool is_time = seconds_.has_value() && std::isfinite(*seconds_) && *seconds_ > 0;
    candidate.evaluation = is_time ? CorrectIn(*seconds_) : Failed(OutcomeOfKernelTuner(*time_), *time_);
    if (!is_time || !reads_quantities_) return true;
    for (const auto& [name, value] : quantities_) AddQuantity(name, value, &candidate.evaluation);
    ReplaceTimeByCost(search_, &candidate.evaluation);
    candidate.evaluation.clear_metrics();
    return true;
  }

  const std::vector<std::string>& names_;
  const v1::SearchOptions& search_;
  const bool reads_quantities_;
  std::string quantity_;                                    // name of the one that is read
  std::vector<std::pair<std::string, double>> quantities_;  // of the entry
  bool in_cache_ = false;
  std::string entry_;  // name of the one that is read
  int field_ = kOther;
  size_t next_ = 0;  // parameter that is expected
  std::vector<std::optional<std::string>> options_;
  std::optional<std::string> time_;
  std::optional<double> seconds_;  // time_ as a number
};

struct Reduced {
  std::string json;
  size_t lists = 0;  // that were found: mostly one of each entry
};

// The text without the numbers of each list named "times": nobody looks at the samples, and to read them
// takes as long as everything else. Within a text the quotes of such a name would be escaped. A list of
// anything but numbers stays.
Reduced WithoutSamples(absl::string_view json) {
  static constexpr absl::string_view kName = "\"times\": [";
  Reduced reduced;
  std::string& rest = reduced.json;
  rest.reserve(json.size());
  for (size_t name = 0; (name = json.find(kName)) != absl::string_view::npos;) {
    absl::StrAppend(&rest, json.substr(0, name + kName.size()));
    json.remove_prefix(name + kName.size());
    ++reduced.lists;
    const size_t end = json.find_first_not_of("0123456789+-.eE, \n");
    if (end != absl::string_view::npos && json[end] == ']') json.remove_prefix(end);
  }
  absl::StrAppend(&rest, json);
  return reduced;
}

}  // namespace

absl::StatusOr<RecordedFormat> FormatOf(absl::string_view json) {
  FormatEvents events;
  Json::sax_parse(json.begin(), json.end(), &events);
  TUNE_RETURN_IF_ERROR(events.status());
  return std::move(events.format);
}

absl::StatusOr<std::vector<RecordedCandidate>> ReadCache(absl::string_view json,
                                                         const std::vector<std::string>& names,
                                                         const v1::SearchOptions& search) {
  CacheEvents events(names, search);
  const Reduced reduced = WithoutSamples(json);
  events.candidates.reserve(reduced.lists);
  Json::sax_parse(reduced.json.data(), reduced.json.data() + reduced.json.size(), &events);
  TUNE_RETURN_IF_ERROR(events.status());
  return std::move(events.candidates);
}

}  // namespace tune
