#include "client/kernels/value_list.h"

#include <tuple>

#include "absl/strings/str_join.h"
#include "client/kernels/short_form_text.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/definition_names.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

constexpr char kDots[] = "..";

absl::Status Append(const Value& value, std::vector<v1::TuningValue>* values) {
  if (values->size() >= kMostParameterValues)
    return absl::InvalidArgumentError(absl::StrCat("there are more than ", kMostParameterValues, " values"));
  TUNE_ASSIGN_OR_RETURN(v1::TuningValue one, ToTuningValue(value));
  values->push_back(std::move(one));
  return absl::OkStatus();
}

// `first..last`, `first..last..step`.
absl::Status AppendRange(absl::string_view item, std::vector<v1::TuningValue>* values) {
  std::vector<int64_t> bounds;
  absl::string_view rest = item;
  while (true) {
    const size_t dots = FindOutside(rest, kDots);
    TUNE_ASSIGN_OR_RETURN(const int64_t bound,
                          EvaluateWholeText(rest.substr(0, dots), {}, -kMostProblemSize, kMostProblemSize));
    bounds.push_back(bound);
    if (dots == absl::string_view::npos) break;
    rest.remove_prefix(dots + sizeof(kDots) - 1);
  }
  if (bounds.size() == 2) bounds.push_back(1);
  if (bounds.size() > 3 || bounds[2] == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", EscapeLine(item), "\": write FIRST..LAST or FIRST..LAST..STEP, with a step that is not 0"));
  const auto [first, last, step] = std::tie(bounds[0], bounds[1], bounds[2]);
  const int64_t count = (last - first) / step + 1;
  if ((last - first) / step < 0 || ((last < first) != (step < 0) && last != first))
    return absl::InvalidArgumentError(absl::StrCat("the range \"", EscapeLine(item), "\" is empty"));
  if (count > kMostParameterValues) {
    return absl::InvalidArgumentError(absl::StrCat("the range \"", EscapeLine(item), "\" has ", count,
                                                   " values, more than ", kMostParameterValues));
  }
  for (int64_t i = 0; i < count; ++i) TUNE_RETURN_IF_ERROR(Append(Value::Integer(first + i * step), values));
  return absl::OkStatus();
}

absl::Status AppendItem(const std::string& item, std::vector<v1::TuningValue>* values) {
  if (item.empty()) return absl::InvalidArgumentError("a value is missing between commas");
  if (IsBareText(item)) return Append(Value::String(item), values);
  if (FindOutside(item, kDots) != absl::string_view::npos) return AppendRange(item, values);
  TUNE_ASSIGN_OR_RETURN(const Value value, EvaluateText(item, {}));
  if (!value.IsList()) return Append(value, values);
  for (const Value& one : value.list()) TUNE_RETURN_IF_ERROR(Append(one, values));
  return absl::OkStatus();
}

// How many of the values from `begin` on are whole and each one more than the one before.
int RunLength(const google::protobuf::RepeatedPtrField<v1::TuningValue>& values, int begin) {
  int length = 0;
  while (begin + length < values.size()) {
    const v1::TuningValue& value = values[begin + length];
    if (value.value_case() != v1::TuningValue::kInteger) break;
    if (length > 0 && value.integer() != values[begin].integer() + length) break;
    ++length;
  }
  return length;
}

}  // namespace

absl::StatusOr<std::vector<v1::TuningValue>> ReadValueList(absl::string_view text) {
  std::vector<v1::TuningValue> values;
  for (const std::string& item : SplitOutside(text, ',')) TUNE_RETURN_IF_ERROR(AppendItem(item, &values));
  if (values.empty()) return absl::InvalidArgumentError("there are no values");
  return values;
}

absl::StatusOr<std::vector<v1::TuningValue>> EvaluateValueList(absl::string_view expression) {
  TUNE_ASSIGN_OR_RETURN(const Value value, EvaluateText(expression, {}));
  if (!value.IsList()) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", EscapeLine(expression), "\" is ", KindName(value.kind()), ", no list of values"));
  }
  std::vector<v1::TuningValue> values;
  for (const Value& one : value.list()) TUNE_RETURN_IF_ERROR(Append(one, &values));
  if (values.empty()) return absl::InvalidArgumentError("the list of values is empty");
  return values;
}

std::string WriteTuningValue(const v1::TuningValue& value) {
  if (value.value_case() == v1::TuningValue::kText && IsBareText(value.text())) return value.text();
  return PrintTuningValue(value);
}

std::string WriteValueList(const google::protobuf::RepeatedPtrField<v1::TuningValue>& values) {
  constexpr int kShortestRange = 4;
  std::vector<std::string> items;
  for (int i = 0; i < values.size();) {
    const int length = RunLength(values, i);
    if (length >= kShortestRange) {
      items.push_back(absl::StrCat(values[i].integer(), kDots, values[i + length - 1].integer()));
      i += length;
    } else {
      items.push_back(WriteTuningValue(values[i++]));
    }
  }
  return absl::StrJoin(items, ",");
}

}  // namespace tune
