// Words and marks of C, in texts that come from elsewhere and will stand in generated code.
#pragma once

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/c_identifier.h"

namespace tune {

enum class CToken { kName, kNumber, kText, kMark };  // kText: a string or character constant

struct CWord {
  CToken kind;
  absl::string_view text;
};

// The tokens of `text`, views of it; nothing where something is no token of C's expressions, such as a line's
// end, a comment, braces, a semicolon, a backslash outside of quotes, or a number of an unknown form.
std::optional<std::vector<CWord>> CTokens(absl::string_view text);

// An integer or floating constant without sign: "0", "0x1fUL", "1.5e-3f", "0x1p4".
bool IsCConstant(absl::string_view text);

// INFINITY and NAN, the floats that <math.h> calls so: constants of a scop, which C has no numbers for.
bool IsSpecialNumber(absl::string_view text);

// A type of numbers as C names it: "int", "unsigned long", "double", "_Bool".
bool IsArithmeticType(absl::string_view text);

}  // namespace tune
