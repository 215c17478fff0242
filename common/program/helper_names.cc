#include "common/program/helper_names.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace tune {

HelperNames ChooseHelperNames(const v1::Scop& scop) {
  std::string prefix = "tune_";
  const auto taken = [&](const auto& named) { return absl::StartsWith(named.name(), prefix); };
  while (std::any_of(scop.arrays().begin(), scop.arrays().end(), taken) ||
         std::any_of(scop.parameters().begin(), scop.parameters().end(), taken)) {
    prefix += "_";
  }
  return HelperNames(prefix);
}

}  // namespace tune
