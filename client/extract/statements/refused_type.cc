#include "client/extract/statements/refused_type.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Type.h>

#include "client/extract/source/short_numbers.h"

namespace tune {
namespace {

bool IsKind(clang::QualType type, clang::BuiltinType::Kind kind) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  return builtin != nullptr && builtin->getKind() == kind;
}

bool IsBfloat(clang::QualType type) { return IsKind(type, clang::BuiltinType::BFloat16); }

// Of 16 bits, but for _Float16.
bool IsShort(clang::QualType type) { return IsKind(type, clang::BuiltinType::Half) || IsBfloat(type); }

}  // namespace

bool IsOtherFloat(clang::QualType type) {
  return IsShort(type) || (type->isRealFloatingType() && !type->isFloat16Type() &&
                           !type->isSpecificBuiltinType(clang::BuiltinType::Float) &&
                           !type->isSpecificBuiltinType(clang::BuiltinType::Double));
}

bool IsComplexOfFloats(clang::QualType type) {
  const auto* complex = type->getAs<clang::ComplexType>();
  if (complex == nullptr) return false;
  const clang::QualType component = complex->getElementType();
  return component->isSpecificBuiltinType(clang::BuiltinType::Float) ||
         component->isSpecificBuiltinType(clang::BuiltinType::Double);
}

bool IsStdComplex(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() && record->getName() == "complex";
}

std::string InsteadOf(clang::QualType type) {
  if (IsStdComplex(type)) {
    return "give the region a pointer of the compiler's own type to the same memory, `auto *p = "
           "reinterpret_cast<float _Complex *>(z);`";
  }
  if (type->isAnyComplexType())
    return "use `float _Complex` or `double _Complex`, or two arrays of real numbers";
  if (IsBfloat(type)) return kBfloatRemedy;
  if (IsShort(type)) return "convert to float before the region, `f[i] = h[i];`, and back behind it";
  if (IsOtherFloat(type)) return "use double";
  return "use char, short, int, long, _Float16, float or double";
}

}  // namespace tune
