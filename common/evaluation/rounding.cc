#include "common/evaluation/rounding.h"

#include <array>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

struct NamedRounding {
  v1::Rounding rounding;
  const char* name;
  const char* meaning;
};

constexpr std::array<NamedRounding, 3> kRoundings = {{
    {v1::ROUNDING_UNSPECIFIED, "free", ""},
    {v1::ROUNDING_EXACT, "exact", "sums keep their order, products are rounded"},
    {v1::ROUNDING_TF32X3, "tf32x3",
     "tensor cores compute products of floats, each split in two numbers of TF32; errors are near those of "
     "floats"},
}};

}  // namespace

std::string RoundingName(v1::Rounding rounding) {
  for (const NamedRounding& known : kRoundings) {
    if (known.rounding == rounding) return known.name;
  }
  return "unknown";
}

std::optional<v1::Rounding> RoundingOfName(absl::string_view name) {
  for (const NamedRounding& known : kRoundings) {
    if (known.name == name) return known.rounding;
  }
  return std::nullopt;
}

std::string RoundingText(v1::Rounding rounding) {
  for (const NamedRounding& known : kRoundings) {
    if (known.rounding == rounding && rounding != v1::ROUNDING_UNSPECIFIED)
      return absl::StrCat(known.name, ": ", known.meaning);
  }
  return "";
}

}  // namespace tune
