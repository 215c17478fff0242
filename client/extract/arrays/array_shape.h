// What C says about the type and size of an object.
#pragma once

#include <optional>
#include <string>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace clang {
class FunctionDecl;
class QualType;
}  // namespace clang

namespace tune {

// Nothing for types that a scop cannot hold: complex integers, long double, structures, pointers. Of _Bool
// the type that holds it there, unsigned char.
std::optional<v1::ElementType> ElementTypeOf(const clang::ASTContext& ast, clang::QualType type);

// Whether the type is one of those by itself, no enumeration and not volatile.
bool IsNumber(const clang::ASTContext& ast, clang::QualType type);

// Canonical name without qualifiers: "double", "unsigned long"; of an enumeration its integer type.
std::string CTypeName(const clang::ASTContext& ast, clang::QualType type);

// The same of a value in a scop, where truth values are unsigned chars.
std::string ValueTypeName(const clang::ASTContext& ast, clang::QualType type);

// E of `T *x = malloc(E * sizeof(T))` and the like, for a local x and an E of locals; null for others.
const clang::Expr* AllocatedElements(const clang::ASTContext& ast, const clang::VarDecl& variable);

// Whether the length of an array has one value wherever it stands in the function: its variables are local,
// and the function neither sets them nor takes their addresses.
bool IsNeverChanged(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                    const clang::Expr& length);

// The length of a dimension of a variable as declared, or of what its only allocation returned: [params] ->
// { [n] }; nothing where C does not say it, or not as an affine expression of the parameters. `products`: of
// their products too, which the region then has as parameters (Region::found_products).
std::optional<isl::pw_aff> KnownExtent(Region& region, const clang::VarDecl& variable, int dimension,
                                       bool products = true);

// Name, element type, extents, declared_inside and is_pointer of a variable of `function`. Extents that are
// affine in the parameters are not negative: this joins the region's context. `use` is where the region
// mentions it; `member` as in ArrayTable::Entry.
Accepted<v1::Array> DescribeArray(Region& region, const clang::FunctionDecl& function,
                                  const clang::VarDecl& variable, clang::SourceRange use,
                                  const clang::Type* member);

}  // namespace tune
