// What people are told of a study beside its results.
#pragma once

#include <algorithm>
#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

// Once each; an empty one is none.
inline void AddWarning(const std::string& warning, v1::Study* study) {
  const auto& warnings = study->warnings();
  if (warning.empty() || std::find(warnings.begin(), warnings.end(), warning) != warnings.end()) return;
  study->add_warnings(warning);
}

}  // namespace tune
