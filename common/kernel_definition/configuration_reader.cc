#include "common/kernel_definition/configuration_reader.h"

#include "common/decision/configuration.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/definition_space.h"
#include "common/parameters/parameter_walk.h"

namespace tune {
namespace {

// "4 x 2": without extents of 1 at the end.
std::string ExtentsText(const std::array<int64_t, 3>& extents) {
  std::string text = absl::StrCat(extents[0]);
  if (extents[1] > 1 || extents[2] > 1) absl::StrAppend(&text, " x ", extents[1]);
  if (extents[2] > 1) absl::StrAppend(&text, " x ", extents[2]);
  return text;
}

// `expression`: of the kernel.
std::string LaunchText(const EvaluatedLaunch& launch, const std::string& expression) {
  std::string text = expression;
  if (launch.on_gpu)
    absl::StrAppend(&text, ", grid ", ExtentsText(launch.grid), ", block ", ExtentsText(launch.block));
  if (launch.shared_bytes > 0)
    absl::StrAppend(&text, ", ", launch.shared_bytes, " bytes of dynamic shared memory");
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

absl::StatusOr<ParameterChoice> ConfigurationReader::ChoiceOf(const v1::Configuration& configuration) const {
  ReplayChooser chooser(configuration);
  TUNE_ASSIGN_OR_RETURN(const ParameterChoice choice, WalkParameters(*space_, default_choice_, chooser));
  TUNE_RETURN_IF_ERROR(chooser.CheckAllUsed());
  return choice;
}

absl::StatusOr<EvaluatedConfiguration> ConfigurationReader::Read(
    const v1::Configuration& configuration) const {
  TUNE_ASSIGN_OR_RETURN(const ParameterChoice choice, ChoiceOf(configuration));
  return EvaluateLaunch(definition_, ValuesOf(definition_, choice));
}

absl::StatusOr<NamedValues> ConfigurationReader::Names(const v1::Configuration& configuration) const {
  TUNE_ASSIGN_OR_RETURN(const ParameterChoice choice, ChoiceOf(configuration));
  TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition_));
  return ConfigurationNames(definition_, problem, ValuesOf(definition_, choice));
}

absl::StatusOr<EvaluatedConfiguration> ConfigurationReader::Default() const {
  return EvaluateLaunch(definition_, ValuesOf(definition_, default_choice_));
}

std::string PrintConfigurationHeader(const EvaluatedConfiguration& configuration) {
  std::string text;
  for (const EvaluatedLaunch& launch : configuration.launches) {
    std::string expression = launch.kernel;
    for (const EvaluatedKernel& kernel : configuration.kernels)
      if (kernel.name == launch.kernel) expression = kernel.expression;
    absl::StrAppend(&text, "/* runs ", LaunchText(launch, expression), " */\n");
  }
  if (configuration.graphics_clock_mhz > 0)
    absl::StrAppend(&text, "/* at a graphics clock of ", configuration.graphics_clock_mhz, " MHz */\n");
  for (const auto& [name, value] : configuration.scalars)
    absl::StrAppend(&text, "/* argument ", name, " = ", PrintValue(value), " */\n");
  for (const std::string& macro : configuration.macros) {
    const size_t name = macro.find('=');
    absl::StrAppend(&text, "#define ", macro.substr(0, name), " ", macro.substr(name + 1), "\n");
  }
  return text;
}

}  // namespace tune
