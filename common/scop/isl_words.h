// Words and marks of isl's notation, in texts that come from elsewhere.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

enum class IslToken { kName, kNumber, kKeyword, kMark, kEnd };

struct IslWord {
  IslToken kind;
  absl::string_view text;  // empty at the end
  size_t at;               // its byte in the text
};

// The words of `text`, views of it; the last one is the end. Keywords are those that isl prints: exists, and,
// or, not, true, false, mod, floor, ceil, floord, ceild, min, max. INVALID_ARGUMENT, with the place: a byte
// that begins no word of sets and relations, a word that isl reads otherwise (its keywords in other letters,
// infinity), a name or number that is too long.
absl::StatusOr<std::vector<IslWord>> IslWords(absl::string_view text);

}  // namespace tune
