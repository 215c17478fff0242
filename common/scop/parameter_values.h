// The values that a reference run found for a scop's parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tune/v1/evaluation.pb.h"

namespace tune {

// By name.
inline std::map<std::string, int64_t> ParameterValueMap(const v1::Reference& reference) {
  std::map<std::string, int64_t> values;
  for (const v1::ParameterValue& parameter : reference.parameters())
    values[parameter.name()] = parameter.value();
  return values;
}

}  // namespace tune
