// The code generators that a study can ask for.
#pragma once

#include <string>

#include "common/evaluation/rounding.h"

namespace tune {

inline constexpr char kBuiltinGenerator[] = "builtin";
inline constexpr char kPpcgGenerator[] = "ppcg";
// Parts of the region's outermost loop on the CPU, others on a GPU: `tunectl submit --target cpu+cuda`. Such
// a study is bound to a GPU, and its candidates are programs for that and for its host.
inline constexpr char kSharedGenerator[] = "cpu+cuda";

// What StudySpec, Study and LookUpRequest name: without a name it is the builtin one.
inline std::string GeneratorOf(const std::string& name) { return name.empty() ? kBuiltinGenerator : name; }

// What results are kept apart by, in keys and look-ups: the generator, and behind it the rounding that the
// study asked for, if any: "builtin exact".
inline std::string ResultKind(const std::string& generator, v1::Rounding rounding) {
  return GeneratorOf(generator) + (rounding == v1::ROUNDING_UNSPECIFIED ? "" : " " + RoundingName(rounding));
}

}  // namespace tune
