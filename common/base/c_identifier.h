// Names of C.
#pragma once

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tune {

// Letters, digits and underscores: what a name is made of.
inline bool IsNameCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Name characters, no digit first.
inline bool IsCIdentifier(absl::string_view text) {
  return !text.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), IsNameCharacter);
}

// "::space::n" of C++.
inline bool IsQualifiedName(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "::")) return false;
  const std::vector<absl::string_view> words = absl::StrSplit(text, "::");
  return std::all_of(words.begin(), words.end(), IsCIdentifier);
}

}  // namespace tune
