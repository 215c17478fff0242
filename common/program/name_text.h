// Names in the text of programs: as they are where that is clear, else between quotes.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// Whether the character may stand in a name without quotes; the first one is neither a digit nor a point.
bool IsPlainNameCharacter(char character);
bool IsPlainNameBegin(char character);
// Whether it may stand in what PrintLongName prints without quotes.
bool IsLongNameCharacter(char character);

// `tune_c0`, `blockIdx.x`; "two words".
std::string PrintName(absl::string_view name);

// The same of names of statements and kernels, in which brackets and commas need no quotes: `k[S0,S1]`.
std::string PrintLongName(absl::string_view name);

// The same of types, which may be several names: `unsigned int`.
std::string PrintTypeName(absl::string_view type);

}  // namespace tune
