// What a compiler's command line says of how a file is read.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

struct EntryFlags {
  std::vector<std::string> include_directories;  // absolute, in search order
  std::vector<std::string> defines;              // "NAME" or "NAME=VALUE"
  // Standard, optimisation, -f, -m and the like. Without -O1 or more among them -O3 -march=native stand
  // first.
  std::vector<std::string> flags;
};

// Of the words of a command that runs in `folder`, an absolute path. Files of words (@FILE) are read. Left
// out is what concerns warnings, outputs, debugging, dependencies, sanitizers and the linker.
// INVALID_ARGUMENT, NOT_FOUND: a file of words that cannot be read or is of words without end.
absl::StatusOr<EntryFlags> FlagsOfCommand(const std::vector<std::string>& words, const std::string& folder);

}  // namespace tune
