#include "common/kernel_definition/definition_space.h"

#include "absl/strings/strip.h"
#include "common/base/plain_text.h"
#include "common/decision/configuration.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/tuning_value.h"
#include "common/parameters/parameter_walk.h"

namespace tune {
namespace {

// -1: there is none.
int DefaultIndex(const v1::TuningParameterValues& parameter) {
  if (!parameter.has_default_value()) return -1;
  const std::string wanted = PrintValue(ToValue(parameter.default_value()));
  for (int i = 0; i < parameter.values_size(); ++i) {
    if (PrintValue(ToValue(parameter.values(i))) == wanted) return i;
  }
  return -1;
}

int MiddleIndex(const v1::TuningParameterValues& parameter) { return (parameter.values_size() - 1) / 2; }

}  // namespace

absl::StatusOr<ParameterSpace> ParameterSpaceOf(const v1::KernelDefinition& definition,
                                                const ParameterSpaceLimits& limits) {
  ParameterSpaceDescription description;
  for (const v1::TuningParameterValues& parameter : definition.parameters()) {
    TuningParameter& tuning = description.parameters.emplace_back();
    tuning.name = parameter.name();
    for (const v1::TuningValue& value : parameter.values()) tuning.values.push_back(ToValue(value));
  }
  TUNE_ASSIGN_OR_RETURN(description.constants, ProblemNames(definition));
  for (const std::string& text : definition.constraints()) {
    absl::StatusOr<Expression> constraint = Expression::Parse(text);
    if (!constraint.ok())
      return Annotate(constraint.status(), absl::StrCat("constraint \"", EscapeLine(text), "\""));
    description.constraints.push_back(*std::move(constraint));
  }
  return ParameterSpace::Make(std::move(description), limits);
}

absl::StatusOr<ParameterChoice> DefaultConfiguration(const v1::KernelDefinition& definition,
                                                     const ParameterSpaceLimits& limits) {
  v1::KernelDefinition fixed = definition;  // parameters with a default have no other value
  for (v1::TuningParameterValues& parameter : *fixed.mutable_parameters()) {
    if (DefaultIndex(parameter) < 0) continue;
    parameter.clear_values();
    *parameter.add_values() = parameter.default_value();
  }
  const absl::StatusOr<ParameterSpace> space = ParameterSpaceOf(fixed, limits);
  if (absl::IsFailedPrecondition(space.status())) {
    return absl::FailedPreconditionError(
        absl::StrCat("the default configuration is not valid: ",
                     absl::StripPrefix(space.status().message(), "no configuration is valid: ")));
  }
  TUNE_RETURN_IF_ERROR(space.status());
  DefaultChooser chooser;
  TUNE_ASSIGN_OR_RETURN(ParameterChoice choice, WalkParameters(*space, {}, chooser));
  for (int i = 0; i < definition.parameters_size(); ++i) {
    const int index = DefaultIndex(definition.parameters(i));
    if (index >= 0) choice[i] = index;
  }
  return choice;
}

absl::StatusOr<ParameterChoice> NearestToDefaults(const v1::KernelDefinition& definition,
                                                  const ParameterSpaceLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const ParameterSpace space, ParameterSpaceOf(definition, limits));
  std::vector<int> wanted;
  for (const v1::TuningParameterValues& parameter : definition.parameters()) {
    const int index = DefaultIndex(parameter);
    wanted.push_back(index >= 0 ? index : MiddleIndex(parameter));
  }
  DefaultChooser chooser;
  return WalkParameters(space, wanted, chooser);
}

std::vector<Value> ValuesOf(const v1::KernelDefinition& definition, const ParameterChoice& choice) {
  std::vector<Value> values;
  for (int i = 0; i < definition.parameters_size(); ++i)
    values.push_back(ToValue(definition.parameters(i).values(choice[i])));
  return values;
}

std::string PrintValues(const v1::KernelDefinition& definition, absl::Span<const Value> configuration) {
  std::string text;
  for (int i = 0; i < definition.parameters_size(); ++i) {
    absl::StrAppend(&text, i > 0 ? ", " : "", EscapeLine(definition.parameters(i).name()), "=",
                    EscapeLine(PrintValue(configuration[i])));
  }
  return text;
}

}  // namespace tune
