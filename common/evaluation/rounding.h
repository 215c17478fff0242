// How far candidates' arithmetic may be from the program's (Rounding, in a StudySpec), as people read it.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "tune/v1/rounding.pb.h"

namespace tune {

// "free", "exact" or "tf32x3"; one that this version does not know is "unknown".
std::string RoundingName(v1::Rounding rounding);
// None of a name that is not one of the first three.
std::optional<v1::Rounding> RoundingOfName(absl::string_view name);

// What it means for results, a line; of the free one, which is the default, nothing.
std::string RoundingText(v1::Rounding rounding);

}  // namespace tune
