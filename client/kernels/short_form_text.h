// Pieces of the short form's lines.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// The text between separators that stand outside of quotes, parentheses, brackets and braces; without blanks
// around. `::` is no separator. An empty text has no parts.
std::vector<std::string> SplitOutside(absl::string_view text, char separator);

// Where `what` stands outside of quotes, parentheses, brackets and braces; npos: nowhere.
size_t FindOutside(absl::string_view text, absl::string_view what);

// The line without a comment: from a `#` outside of quotes that begins the line or follows a blank.
absl::string_view WithoutComment(absl::string_view line);

// Names with blanks between them, none of which is a word of expressions: `float`, `unsigned int`.
bool IsBareText(absl::string_view text);

// A name or path: as it stands, or a string of expressions, which may hold anything. INVALID_ARGUMENT where
// the string cannot be read.
absl::StatusOr<std::string> ReadPath(absl::string_view text);
std::string WritePath(const std::string& path);

// "NAME=TEXT" as both. INVALID_ARGUMENT where there is no "=" after a name.
struct NamedText {
  std::string name, text;
};
absl::StatusOr<NamedText> ReadNamedText(absl::string_view text);

}  // namespace tune
