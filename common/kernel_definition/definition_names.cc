#include "common/kernel_definition/definition_names.h"

#include <cmath>
#include <set>

#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/expression/compiled_expression.h"
#include "common/expression/function_names.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

std::string Quote(absl::string_view text) { return absl::StrCat("\"", EscapeLine(text), "\""); }

// For messages.
std::string ShortText(const Value& value) {
  if (value.IsList()) return absl::StrCat("a list of ", value.list().size(), " values");
  return EscapeLine(PrintValue(value));
}

}  // namespace

bool IsDefinitionName(absl::string_view name) {
  static const auto* const kWords =
      new std::set<absl::string_view>{"and",  "or",    "not",  "in", "if",     "else", "for",
                                      "True", "False", "None", "is", "lambda", "math", kProblemSize};
  return IsCIdentifier(name) && !kWords->contains(name) && FindFunction(name) == nullptr;
}

absl::StatusOr<NamedValues> ProblemNames(const v1::KernelDefinition& definition) {
  NamedValues names;
  std::vector<Value> sizes;
  for (const v1::ProblemSize& problem : definition.problem()) {
    const std::string where = problem.name().empty()
                                  ? absl::StrCat("problem size ", sizes.size() + 1)
                                  : absl::StrCat("problem size ", EscapeLine(problem.name()));
    const absl::StatusOr<int64_t> size = EvaluateWholeText(problem.size(), names, 1, kMostProblemSize);
    if (!size.ok()) return Annotate(size.status(), where);
    sizes.push_back(Value::Integer(*size));
    names[kProblemSize] = Value::List(sizes);
    if (problem.name().empty()) continue;
    if (!IsDefinitionName(problem.name()))
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": this is no name of C that expressions can use"));
    if (!names.emplace(problem.name(), sizes.back()).second)
      return absl::InvalidArgumentError(absl::StrCat(where, ": the name is given twice"));
  }
  return names;
}

NamedValues StudyNames(const v1::KernelDefinition& definition, const NamedValues& problem) {
  NamedValues names = problem;
  for (const v1::TuningParameterValues& parameter : definition.parameters()) {
    std::vector<Value> values;
    for (const v1::TuningValue& value : parameter.values()) values.push_back(ToValue(value));
    names.emplace(parameter.name(), Value::List(std::move(values)));
  }
  return names;
}

NamedValues ConfigurationNames(const v1::KernelDefinition& definition, const NamedValues& problem,
                               absl::Span<const Value> configuration) {
  NamedValues names = problem;
  for (int i = 0; i < definition.parameters_size(); ++i)
    names[definition.parameters(i).name()] = configuration[i];
  return names;
}

absl::StatusOr<Value> EvaluateText(absl::string_view text, const NamedValues& names) {
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  if (!expression.ok()) return Annotate(expression.status(), Quote(text));
  absl::StatusOr<Value> value = Evaluate(*expression, names);
  if (!value.ok()) return Annotate(value.status(), Quote(text));
  return value;
}

absl::StatusOr<int64_t> EvaluateWholeText(absl::string_view text, const NamedValues& names, int64_t least,
                                          int64_t most) {
  TUNE_ASSIGN_OR_RETURN(const Value value, EvaluateText(text, names));
  const double number = value.IsNumber() ? value.AsDouble() : NAN;
  const bool is_whole = value.IsWhole() || (std::fabs(number) < 0x1p53 && number == std::floor(number));
  const std::string is = absl::StrCat(Quote(text), value.IsNumber() && PrintValue(value) == text
                                                       ? " is "
                                                       : absl::StrCat(" is ", ShortText(value), ", "));
  if (!is_whole) return absl::InvalidArgumentError(absl::StrCat(is, "which is no whole number"));
  const int64_t whole = value.IsWhole() ? value.whole() : static_cast<int64_t>(number);
  if (whole < least || whole > most) {
    return absl::InvalidArgumentError(
        absl::StrCat(is, whole < least ? "less than " : "more than ", whole < least ? least : most));
  }
  return whole;
}

v1::Target TargetOf(const v1::KernelDefinition& definition) {
  return definition.language() == v1::KERNEL_LANGUAGE_CUDA ? v1::CUDA : v1::CPU;
}

}  // namespace tune
