// The value of C's integer expressions, where no compiler is at hand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// The value of `text`: integers of any base and suffix, names that `values` knows, parentheses, unary and
// binary + - * / % and << >>, casts to integer types ("(long)n", which change nothing). Without a value where
// it is anything else, overflows, or divides by zero; names whose values are all that lacks are then in
// `unknown` (may be null), unless there is a sizeof.
std::optional<int64_t> EvaluateInteger(absl::string_view text, const std::map<std::string, int64_t>& values,
                                       std::set<std::string>* unknown);

// Names that occur in `text`, those of types and sizeof left out.
std::set<std::string> NamesIn(absl::string_view text);

}  // namespace tune
