#include "client/extract/pointers/matrix_argument.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>

#include "client/extract/arrays/array_shape.h"
#include "client/extract/integers/affine_expression.h"

namespace tune {
namespace {

// [params, iterators] -> { [length] }; nothing where it is not known.
std::optional<isl::pw_aff> LengthOf(Region& region, const LoopNest& scope, const clang::ArrayType& array) {
  if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(&array)) {
    const isl::aff zero = isl::aff::zero_on_domain(region.parameter_space);
    return isl::pw_aff(zero.add_constant(static_cast<long>(constant->getSize().getZExtValue())));
  }
  const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(&array);
  if (variable == nullptr || variable->getSizeExpr() == nullptr) return std::nullopt;
  Accepted<isl::pw_aff> length = ReadAffine(region, scope, *variable->getSizeExpr(), Position::kSubscript);
  return IsRefused(length) ? std::nullopt : std::optional(std::get<0>(std::move(length)));
}

}  // namespace

const clang::Expr* MatrixArgument(Region& region, const LoopNest& scope, const clang::VarDecl& pointer,
                                  const clang::Expr& value) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value.IgnoreParens());
  if (cast == nullptr || cast->getCastKind() != clang::CK_BitCast) return nullptr;
  int dimension = 1;  // of the array, the one of the rows
  const clang::Expr* array = cast->getSubExpr()->IgnoreParenImpCasts();
  while (const auto* part = llvm::dyn_cast<clang::ArraySubscriptExpr>(array)) {
    array = part->getBase()->IgnoreParenImpCasts();
    ++dimension;
  }
  const clang::VarDecl* variable = NamedVariable(array);
  if (variable == nullptr) return nullptr;
  const isl::set reached = scope.domain.intersect(region.context);
  clang::QualType row = pointer.getType()->getPointeeType();
  clang::QualType own = cast->getSubExpr()->getType()->getPointeeType();
  for (; const clang::ArrayType* type = region.ast.getAsArrayType(row); ++dimension) {
    const clang::ArrayType* own_type = region.ast.getAsArrayType(own);
    if (own_type == nullptr) return nullptr;
    const std::optional<isl::pw_aff> length = LengthOf(region, scope, *type);
    const std::optional<isl::pw_aff> declared = KnownExtent(region, *variable, dimension);
    if (!length || !declared || !reached.is_subset(length->eq_set(*declared))) return nullptr;
    row = type->getElementType();
    own = own_type->getElementType();
  }
  const bool same = region.ast.hasSameUnqualifiedType(row, own) && !row.isVolatileQualified();
  return same ? cast->getSubExpr() : nullptr;
}

}  // namespace tune
