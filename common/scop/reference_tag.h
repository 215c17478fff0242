// The names that tell the accesses of a statement apart.
#pragma once

#include <string>

#include "absl/strings/str_cat.h"

namespace tune {

// "S0_ref2": R of that access in tagged relations, { [S -> R] -> A }.
inline std::string ReferenceTag(const std::string& statement, int access) {
  return absl::StrCat(statement, "_ref", access);
}

}  // namespace tune
