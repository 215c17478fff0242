#include "client/kernels/t1_space.h"

#include <algorithm>
#include <cmath>

#include "client/kernels/value_list.h"
#include "common/base/plain_text.h"
#include "common/expression/token.h"
#include "common/kernel_definition/definition_names.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

// The value as one of the type that the file names; nothing where it is none.
std::optional<v1::TuningValue> Convert(const v1::TuningValue& given, const std::string& type) {
  const Value value = ToValue(given);
  v1::TuningValue result = given;
  if (type == "string") return value.IsString() ? std::optional(result) : std::nullopt;
  if (!value.IsNumber()) return std::nullopt;
  if (type == "float") {
    result.set_real(value.AsDouble());
    return result;
  }
  const double number = value.AsDouble();
  if (number != std::floor(number) || std::fabs(number) > 0x1p62 || (type == "uint" && number < 0))
    return std::nullopt;
  const int64_t whole = value.IsWhole() ? value.whole() : static_cast<int64_t>(number);
  if (type != "bool") {
    result.set_integer(whole);
    return result;
  }
  if (whole != 0 && whole != 1) return std::nullopt;
  result.set_boolean(whole == 1);
  return result;
}

// A JSON value of a `Default`; nothing where it is no value.
std::optional<v1::TuningValue> ValueOfJson(const Json& json) {
  v1::TuningValue value;
  if (json.is_boolean()) {
    value.set_boolean(json.get<bool>());
  } else if (json.is_number_integer()) {
    value.set_integer(json.get<int64_t>());
  } else if (json.is_number_float()) {
    value.set_real(json.get<double>());
  } else if (json.is_string()) {
    value.set_text(json.get<std::string>());
  } else {
    return std::nullopt;
  }
  return value;
}

void ReadDefault(T1Object* object, const std::string& type, v1::TuningParameterValues* parameter) {
  const Json* json = object->Find("Default");
  if (json == nullptr) return;
  if (json->is_array() && json->size() == 1) json = &(*json)[0];
  const std::optional<v1::TuningValue> given = ValueOfJson(*json);
  const std::optional<v1::TuningValue> value = given.has_value() ? Convert(*given, type) : std::nullopt;
  const std::string text = value.has_value() ? value->SerializeAsString() : "";
  const bool is_there = std::any_of(parameter->values().begin(), parameter->values().end(),
                                    [&](const v1::TuningValue& v) { return v.SerializeAsString() == text; });
  if (value.has_value() && is_there) {
    *parameter->mutable_default_value() = *value;
  } else {
    object->Note("Default", absl::StrCat(given.has_value() ? PrintTuningValue(*given) : JsonKind(*json),
                                         " is none of the values of ", EscapeLine(parameter->name()),
                                         ", and is not taken"));
  }
}

void ReadParameter(T1Object* object, v1::TuningParameterValues* parameter) {
  for (const char* field : {"Name", "Type", "Values"}) object->Require(field);
  parameter->set_name(object->Text("Name").value_or(""));
  const std::string type = object->Word("Type", {"int", "uint", "float", "bool", "string"}).value_or("");
  const std::optional<std::string> text = object->Text("Values");
  if (!text.has_value()) return;
  const auto values = EvaluateValueList(*text);
  if (!values.ok()) return object->Fault("Values", values.status().message());
  for (const v1::TuningValue& given : *values) {
    const std::optional<v1::TuningValue> value = type.empty() ? given : Convert(given, type);
    if (!value.has_value())
      return object->Fault("Values", absl::StrCat(PrintTuningValue(given), " does not fit the type ", type));
    *parameter->add_values() = *value;
  }
  if (!type.empty()) ReadDefault(object, type, parameter);
}

void ReadCondition(T1Object* object, v1::KernelDefinition* definition) {
  for (const char* field : {"Parameters", "Expression"}) object->Require(field);
  const std::vector<std::string> names = object->Texts("Parameters");
  for (size_t i = 0; i < names.size(); ++i) {
    const bool is_there =
        std::any_of(definition->parameters().begin(), definition->parameters().end(),
                    [&](const v1::TuningParameterValues& p) { return p.name() == names[i]; });
    if (!is_there)
      object->Fault(absl::StrCat("Parameters[", i, "]"),
                    absl::StrCat("there is no tuning parameter ", EscapeLine(names[i])));
  }
  if (const std::optional<std::string> expression = object->Text("Expression"); expression.has_value())
    definition->add_constraints(*expression);
}

}  // namespace

void ReadT1Space(T1Object space, v1::KernelDefinition* definition) {
  space.Require("TuningParameters");
  for (T1Object& object : space.Objects("TuningParameters")) {
    ReadParameter(&object, definition->add_parameters());
    object.NoteOthers();
  }
  for (T1Object& object : space.Objects("Conditions")) {
    ReadCondition(&object, definition);
    object.NoteOthers();
  }
  space.NoteOthers();
}

std::string RenameProblemSize(const std::string& expression, bool is_number) {
  constexpr absl::string_view kTheirs = "ProblemSize";
  std::string renamed;
  size_t copied = 0;
  Lexer lexer(expression);
  while (true) {
    const absl::StatusOr<Token> token = lexer.Next();
    if (!token.ok()) return expression;  // said where it is parsed
    if (token->kind == Token::Kind::kEnd) break;
    if (token->kind != Token::Kind::kName || token->text != kTheirs) continue;
    const size_t at = token->column - 1;
    absl::StrAppend(&renamed, expression.substr(copied, at - copied), kProblemSize, is_number ? "[0]" : "");
    copied = at + kTheirs.size();
  }
  return renamed + expression.substr(copied);
}

}  // namespace tune
