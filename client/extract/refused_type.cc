#include "client/extract/refused_type.h"

#include <clang/AST/Type.h>

namespace tune {
namespace {

bool IsHalf(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  return builtin != nullptr && (builtin->getKind() == clang::BuiltinType::Half ||
                                builtin->getKind() == clang::BuiltinType::Float16 ||
                                builtin->getKind() == clang::BuiltinType::BFloat16);
}

}  // namespace

bool IsOtherFloat(clang::QualType type) {
  return IsHalf(type) ||
         (type->isRealFloatingType() && !type->isSpecificBuiltinType(clang::BuiltinType::Float) &&
          !type->isSpecificBuiltinType(clang::BuiltinType::Double));
}

std::string InsteadOf(clang::QualType type) {
  if (type->isAnyComplexType()) return "use two arrays of real numbers";
  if (IsHalf(type)) return "convert to float before the region, `f[i] = h[i];`, and back behind it";
  if (IsOtherFloat(type)) return "use double";
  return "use char, short, int, long, float or double";
}

}  // namespace tune
