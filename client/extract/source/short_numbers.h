// What to write for numbers of 16 bits that C compilers know nothing of, or keep but do not compute with.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace tune {

inline constexpr char kBfloatRemedy[] =
    "keep numbers of bfloat16 as `unsigned short`, which are the upper halves of floats, and make floats of "
    "them before the region (`bits = (unsigned)h[i] << 16;` in a union with a float): gcc 12 and clang 16 do "
    "not compute with them";

// Where a compiler's error names such a type: the remedy.
inline std::optional<std::string> RemedyOfShortNumbers(absl::string_view message) {
  if (absl::StrContains(message, "__bf16") || absl::StrContains(message, "nv_bfloat16")) return kBfloatRemedy;
  for (const char* type : {"'__half'", "'half'", "'__fp16'"}) {
    if (absl::StrContains(message, type)) return "write _Float16, whose bits are the same";
  }
  return std::nullopt;
}

}  // namespace tune
