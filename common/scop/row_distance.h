// Names of what the front end adds to a program whose matrices are pointers to rows (double **a).
#pragma once

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tune {

// What the names of all variables that it adds begin with.
inline constexpr char kAddedName[] = "tune_";

// A variable before the region, and an extent of an array in its scop: the distance between the rows of the
// array that the suffix names, in elements.
inline constexpr char kRowDistance[] = "tune_row_";
inline bool IsRowDistance(absl::string_view extent) { return absl::StartsWith(extent, kRowDistance); }

// The variable beside it that has the number of elements of a row which the region may use. What is between
// them and the next row may belong to others.
inline std::string UsedOfRow(absl::string_view extent) {
  return absl::StrCat("tune_used_", absl::ClippedSubstr(extent, sizeof(kRowDistance) - 1));
}

}  // namespace tune
