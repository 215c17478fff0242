// The compiler's functions of bits in CUDA's words.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"
#include "worker/print/c_text.h"

namespace tune {

// What a function of gcc, "__builtin_popcountll", is in code for a device, where `argument` has the type of
// its parameter. Nothing for functions of other kinds.
std::optional<CText> BitFunctionText(absl::string_view function, const CText& argument);

}  // namespace tune
