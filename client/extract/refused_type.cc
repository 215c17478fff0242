#include "client/extract/refused_type.h"

#include <clang/AST/Type.h>

namespace tune {
namespace {

// Of 16 bits, but for _Float16.
bool IsShort(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  return builtin != nullptr && (builtin->getKind() == clang::BuiltinType::Half ||
                                builtin->getKind() == clang::BuiltinType::BFloat16);
}

}  // namespace

bool IsOtherFloat(clang::QualType type) {
  return IsShort(type) || (type->isRealFloatingType() && !type->isFloat16Type() &&
                           !type->isSpecificBuiltinType(clang::BuiltinType::Float) &&
                           !type->isSpecificBuiltinType(clang::BuiltinType::Double));
}

std::string InsteadOf(clang::QualType type) {
  if (type->isAnyComplexType()) return "use two arrays of real numbers";
  if (IsShort(type)) return "convert to float before the region, `f[i] = h[i];`, and back behind it";
  if (IsOtherFloat(type)) return "use double";
  return "use char, short, int, long, _Float16, float or double";
}

}  // namespace tune
