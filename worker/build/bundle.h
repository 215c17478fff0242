// The user's files on the worker's disk.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/program.pb.h"

namespace tune {

// Writes every file of the program below `folder`. INVALID_ARGUMENT when a path would leave it.
absl::Status WriteBundle(const v1::Program& program, const std::string& folder);

// Content of one of the program's files. INVALID_ARGUMENT when it has none of this path.
absl::StatusOr<std::string> BundledFile(const v1::Program& program, const std::string& path);

}  // namespace tune
