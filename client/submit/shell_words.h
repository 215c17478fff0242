// Text split as a shell would.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Words between blanks; '...' and "..." group, a backslash outside '...' takes the next character as it is.
// Nothing is expanded. INVALID_ARGUMENT when a quote does not end.
absl::StatusOr<std::vector<std::string>> SplitShellWords(absl::string_view text);

// The words as one line that a shell reads back as the same words.
std::string JoinShellWords(const std::vector<std::string>& words);

}  // namespace tune
