#include "common/program/helper_names.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tune {

std::string ExtentName(const HelperNames& names, int array, int dimension) {
  return absl::StrCat(names.element, "n", array, "_", dimension);
}

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
