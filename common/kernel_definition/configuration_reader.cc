#include "common/kernel_definition/configuration_reader.h"

#include "common/decision/configuration.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/definition_space.h"
#include "common/parameters/parameter_walk.h"

namespace tune {
namespace {

std::string LaunchText(const EvaluatedLaunch& launch) {
  std::string text = launch.kernel;
  if (launch.times != 1) absl::StrAppend(&text, ", ", launch.times, " times");
  return text;
}

}  // namespace

absl::StatusOr<ConfigurationReader> ConfigurationReader::Make(v1::KernelDefinition definition) {
  ConfigurationReader reader;
  TUNE_ASSIGN_OR_RETURN(ParameterSpace space, ParameterSpaceOf(definition));
  TUNE_ASSIGN_OR_RETURN(reader.default_choice_, DefaultConfiguration(definition));
  reader.space_ = std::make_shared<const ParameterSpace>(std::move(space));
  reader.definition_ = std::move(definition);
  return reader;
}

absl::StatusOr<EvaluatedConfiguration> ConfigurationReader::Read(
    const v1::Configuration& configuration) const {
  ReplayChooser chooser(configuration);
  TUNE_ASSIGN_OR_RETURN(const ParameterChoice choice, WalkParameters(*space_, default_choice_, chooser));
  TUNE_RETURN_IF_ERROR(chooser.CheckAllUsed());
  return EvaluateLaunch(definition_, ValuesOf(definition_, choice));
}

absl::StatusOr<EvaluatedConfiguration> ConfigurationReader::Default() const {
  return EvaluateLaunch(definition_, ValuesOf(definition_, default_choice_));
}

std::string PrintConfigurationHeader(const EvaluatedConfiguration& configuration) {
  std::string text;
  for (const EvaluatedLaunch& launch : configuration.launches)
    absl::StrAppend(&text, "/* runs ", LaunchText(launch), " */\n");
  for (const auto& [name, value] : configuration.scalars)
    absl::StrAppend(&text, "/* argument ", name, " = ", PrintValue(value), " */\n");
  for (const std::string& macro : configuration.macros) {
    const size_t name = macro.find('=');
    absl::StrAppend(&text, "#define ", macro.substr(0, name), " ", macro.substr(name + 1), "\n");
  }
  return text;
}

}  // namespace tune
