// Text around a region that checks, while the program runs, what the region's own text relies on.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// What the original text of the region stands between, behind the region itself, on lines of their own.
inline constexpr char kOriginalBegins[] = "} else { /* tunectl: the original */";
inline constexpr char kOriginalEnds[] = "} /* tunectl: the end of the original */";

// That text, with its line ends, where it stands behind `end`, the end of a region in `file`; nothing where
// no lines check a region.
std::optional<std::string> OriginalBehind(absl::string_view file, int64_t end);

}  // namespace tune
