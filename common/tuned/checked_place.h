// Text around a region that checks, while the program runs, what the region's own text relies on.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tune {

// What the original text of the region stands between, behind the region itself, on lines of their own.
inline constexpr char kOriginalBegins[] = "} else { /* tunectl: the original */";
inline constexpr char kOriginalEnds[] = "} /* tunectl: the end of the original */";

// Where that text stands in `file` behind `end`, the end of a region: its first byte and one past its last;
// nothing where no lines check a region.
inline std::optional<std::pair<int64_t, int64_t>> PlaceOfOriginal(absl::string_view file, int64_t end) {
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(file.substr(static_cast<size_t>(end)));
  if (!absl::ConsumePrefix(&rest, kOriginalBegins) || !absl::ConsumePrefix(&rest, "\n")) return std::nullopt;
  const size_t behind = rest.find(kOriginalEnds);
  if (behind == absl::string_view::npos) return std::nullopt;
  const auto begin = static_cast<int64_t>(file.size() - rest.size());
  return std::pair(begin, begin + static_cast<int64_t>(rest.rfind('\n', behind) + 1));
}

// That text, with its line ends, where it stands behind `end`, the end of a region in `file`; nothing where
// no lines check a region.
std::optional<std::string> OriginalBehind(absl::string_view file, int64_t end);

}  // namespace tune
