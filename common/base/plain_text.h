// Text of others that people read: it must not draw on a terminal, forge a line of a log or hide itself.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// Valid UTF-8 without control characters, line separators and marks that change the direction of writing.
bool IsPlainLine(absl::string_view text);

// What is not plain, as its bytes: "\x1b[2J" for the command that clears a terminal. Plain text stays as it
// is.
std::string EscapeLine(absl::string_view text);

// The same text with a blank in the place of each character that is not plain and not in `kept`.
std::string BlankHidden(absl::string_view text, absl::string_view kept);

}  // namespace tune
