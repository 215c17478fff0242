#include "common/kernel_definition/tuning_value.h"

#include <cmath>

#include "common/base/plain_text.h"
#include "common/expression/value_text.h"

namespace tune {
namespace {

absl::Status CheckForC(const Value& value) {
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat(EscapeLine(PrintValue(value)), why));
  };
  if (value.IsList()) return absl::InvalidArgumentError("a list stands where one value is expected");
  if (value.IsFloat() && !std::isfinite(value.AsDouble())) return refuse(" is no number that C can write");
  if (value.IsString() && !IsPlainLine(value.string())) return refuse(" is no line of text");
  return absl::OkStatus();
}

}  // namespace

Value ToValue(const v1::TuningValue& value) {
  switch (value.value_case()) {
    case v1::TuningValue::kReal:
      return Value::Float(value.real());
    case v1::TuningValue::kBoolean:
      return Value::Boolean(value.boolean());
    case v1::TuningValue::kText:
      return Value::String(value.text());
    default:
      return Value::Integer(value.integer());
  }
}

absl::StatusOr<v1::TuningValue> ToTuningValue(const Value& value) {
  TUNE_RETURN_IF_ERROR(CheckForC(value));
  v1::TuningValue result;
  if (value.IsBoolean()) {
    result.set_boolean(value.IsTrue());
  } else if (value.IsFloat()) {
    result.set_real(value.AsDouble());
  } else if (value.IsString()) {
    result.set_text(value.string());
  } else {
    result.set_integer(value.whole());
  }
  return result;
}

std::string PrintTuningValue(const v1::TuningValue& value) { return EscapeLine(PrintValue(ToValue(value))); }

absl::StatusOr<std::string> MacroText(const Value& value) {
  TUNE_RETURN_IF_ERROR(CheckForC(value));
  if (value.IsBoolean()) return std::string(value.IsTrue() ? "1" : "0");
  return TextOfValue(value);
}

absl::StatusOr<std::string> TemplateText(const Value& value) {
  if (value.IsBoolean()) return std::string(value.IsTrue() ? "true" : "false");
  return MacroText(value);
}

}  // namespace tune
