// From recorded configurations of hand-written kernels to what they are built and launched with.
#pragma once

#include <memory>
#include <string>

#include "common/kernel_definition/launch.h"
#include "common/parameters/parameter_space.h"
#include "tune/v1/configuration.pb.h"

namespace tune {

// A definition with its space. Immutable; several threads may use it.
class ConfigurationReader {
 public:
  // Errors as ParameterSpaceOf and DefaultConfiguration.
  static absl::StatusOr<ConfigurationReader> Make(v1::KernelDefinition definition);

  const v1::KernelDefinition& definition() const { return definition_; }
  const std::shared_ptr<const ParameterSpace>& space() const { return space_; }
  // As indices of values, by parameter.
  const ParameterChoice& default_choice() const { return default_choice_; }

  // INVALID_ARGUMENT where the configuration is not one of the space, or launches what cannot be.
  absl::StatusOr<EvaluatedConfiguration> Read(const v1::Configuration& configuration) const;
  absl::StatusOr<EvaluatedConfiguration> Default() const;
  // The configuration's values and the problem's sizes, by name. Errors as Read.
  absl::StatusOr<NamedValues> Names(const v1::Configuration& configuration) const;

 private:
  ConfigurationReader() = default;
  absl::StatusOr<ParameterChoice> ChoiceOf(const v1::Configuration& configuration) const;

  v1::KernelDefinition definition_;
  std::shared_ptr<const ParameterSpace> space_;
  ParameterChoice default_choice_;
};

// The configuration as a C header: a macro a line, and, as comments, what the caller of the kernels has to
// know. Equal configurations have equal texts.
std::string PrintConfigurationHeader(const EvaluatedConfiguration& configuration);

}  // namespace tune
