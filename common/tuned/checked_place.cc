#include "common/tuned/checked_place.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace tune {

std::optional<std::string> OriginalBehind(absl::string_view file, int64_t end) {
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(file.substr(static_cast<size_t>(end)));
  if (!absl::ConsumePrefix(&rest, kOriginalBegins) || !absl::ConsumePrefix(&rest, "\n")) return std::nullopt;
  const size_t behind = rest.find(kOriginalEnds);
  if (behind == absl::string_view::npos) return std::nullopt;
  return std::string(rest.substr(0, rest.rfind('\n', behind) + 1));
}

}  // namespace tune
