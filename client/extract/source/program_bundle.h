// The user's sources and headers, lifted out of the user's file system.
#pragma once

#include <string>
#include <vector>

#include "client/extract/source/clang_front_end.h"
#include "common/base/status.h"
#include "tune/v1/program.pb.h"

namespace tune {

// Files, sources and include_directories of a program of these translation units, the one with the region
// first. The root is the longest folder that holds all files and all include directories through which one of
// them was found; other include directories are left out. INVALID_ARGUMENT or NOT_FOUND when a file cannot be
// read.
absl::StatusOr<v1::Program> BundleProgram(const std::vector<const TranslationUnit*>& units,
                                          const std::vector<std::string>& include_directories);

}  // namespace tune
