#include "client/exchange/parameter_json.h"

#include <algorithm>

#include "client/exchange/values.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

// The value that the option of a walk is the text of; the only one where there is no choice.
Json ValueOf(const v1::TuningParameterValues& parameter, const v1::Configuration& configuration) {
  if (parameter.values_size() == 1) return JsonOf(parameter.values(0));
  for (const v1::Decision& decision : configuration.decisions()) {
    if (decision.key() != parameter.name()) continue;
    for (const v1::TuningValue& value : parameter.values()) {
      if (PrintValue(ToValue(value)) == decision.option()) return JsonOf(value);
    }
    return OptionValue(decision.option());
  }
  return Json();
}

}  // namespace

Json JsonOf(const v1::TuningValue& value) {
  switch (value.value_case()) {
    case v1::TuningValue::kReal:
      return value.real();
    case v1::TuningValue::kBoolean:
      return value.boolean();
    case v1::TuningValue::kText:
      return value.text();
    default:
      return value.integer();
  }
}

Json ParametersOf(const v1::StudySpec& spec, const v1::Configuration& configuration) {
  Json parameters = Json::object();
  for (const v1::TuningParameterValues& parameter : spec.kernel().parameters())
    parameters[parameter.name()] = ValueOf(parameter, configuration);
  if (spec.has_kernel()) return parameters;
  for (const v1::Decision& decision : configuration.decisions())
    parameters[decision.key()] = OptionValue(decision.option());
  return parameters;
}

}  // namespace tune
