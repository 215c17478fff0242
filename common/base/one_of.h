// Words of a list.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "absl/strings/string_view.h"

namespace tune {

// Whether `word` is one of `words`.
inline bool IsOneOf(absl::string_view word, std::initializer_list<absl::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace tune
