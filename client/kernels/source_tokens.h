// C and CUDA sources as words, without reading more into them.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

struct SourceToken {
  enum class Kind { kName, kNumber, kString, kSymbol };

  Kind kind = Kind::kSymbol;
  std::string text;  // a symbol is one character, but `::`, `->` and `...`
  int line = 1;
  bool behind_blank = false;
  // Among the branches of the conditionals around it: not in a first one, not in a last one.
  bool is_in_later_branch = false, is_in_earlier_branch = false;

  bool Is(absl::string_view other) const { return text == other; }
  bool IsName() const { return kind == Kind::kName; }
};

// A line that begins with #, its continuations with it.
struct SourceDirective {
  std::string name;                 // "define", "if", "include", "pragma"
  std::vector<SourceToken> tokens;  // what stands behind it
  size_t at = 0;                    // tokens of the code before it
  int line = 1;
};

struct SourceTokens {
  std::vector<SourceToken> code;
  std::vector<SourceDirective> directives;
};

// Never fails: what no C would be is symbols. Comments are left out.
SourceTokens TokensOf(absl::string_view source);

}  // namespace tune
