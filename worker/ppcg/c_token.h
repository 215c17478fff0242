// The words of a C text, for reading code that a program printed.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

struct CToken {
  enum class Kind {
    kName,         // identifier or keyword
    kNumber,       // any constant that starts with a digit, or a dot and a digit
    kString,       // string or character, quotes included
    kDirective,    // whole preprocessor line, with those that it is continued on
    kPunctuation,  // one character
  };
  Kind kind;
  absl::string_view text;  // into the text that was split
  int line;                // from 1

  bool Is(absl::string_view other) const { return text == other; }
  bool IsName() const { return kind == Kind::kName; }
};

// Without comments and white space. INVALID_ARGUMENT with the line for a comment, string or character that
// does not end. `text` must outlive the result.
absl::StatusOr<std::vector<CToken>> SplitCText(absl::string_view text);

// The text from the first to the last token of [begin, end), white space made one blank. Empty for an empty
// range. All of one text.
std::string TokenText(const CToken* begin, const CToken* end);

// Whether `token` follows `before` without anything between them.
bool IsAdjacent(const CToken& before, const CToken& token);

}  // namespace tune
