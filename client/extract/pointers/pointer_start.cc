#include "client/extract/pointers/pointer_start.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <vector>

#include "client/extract/tree/named_declarations.h"

namespace tune {
namespace {

// What a pointer to it, or an array of it, is moved by; null for what is neither.
clang::QualType ElementOfType(const clang::ASTContext& ast, clang::QualType type) {
  if (const clang::ArrayType* array = ast.getAsArrayType(type)) return array->getElementType();
  return type->getPointeeType();
}

bool IsOfOneType(const clang::ASTContext& ast, clang::QualType a, clang::QualType b) {
  const clang::QualType first = ElementOfType(ast, a), second = ElementOfType(ast, b);
  return !first.isNull() && !second.isNull() && ast.hasSameUnqualifiedType(first, second);
}

// Whether it stands for something else, as how far a pointer has moved: what sets that is not known by its
// name.
bool IsMade(const clang::VarDecl& variable) {
  return variable.isLocalVarDecl() &&
         !variable.getDeclContext()->containsDecl(const_cast<clang::VarDecl*>(&variable));
}

}  // namespace

std::optional<PointerStart> StartOf(const clang::ASTContext& ast, const RegionVariables& variables,
                                    clang::Expr& pointer) {
  clang::Expr* value = pointer.IgnoreParenImpCasts();
  clang::Expr *base = value, *distance = nullptr;
  if (auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value);
      sum != nullptr && sum->getOpcode() == clang::BO_Add) {
    const bool is_first = !sum->getLHS()->getType()->isIntegerType();
    base = is_first ? sum->getLHS() : sum->getRHS();
    distance = is_first ? sum->getRHS() : sum->getLHS();
  } else if (auto* address = llvm::dyn_cast<clang::UnaryOperator>(value);
             address != nullptr && address->getOpcode() == clang::UO_AddrOf) {
    auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
    if (element == nullptr) return std::nullopt;
    base = element->getBase();
    distance = element->getIdx();
  }
  const clang::VarDecl* variable = NamedVariable(base);
  if (variable == nullptr || variables.IsWritten(variable) || variable->getType().isVolatileQualified() ||
      !IsOfOneType(ast, variable->getType(), pointer.getType()))
    return std::nullopt;
  if (!variables.IsDeclaredInside(variable) || variable->getType()->isArrayType())
    return PointerStart{variable, distance};
  // A name for such a place.
  if (distance != nullptr || variable->getInit() == nullptr) return std::nullopt;
  std::optional<PointerStart> start = StartOf(ast, variables, const_cast<clang::Expr&>(*variable->getInit()));
  return start && IsUnchanged(variables, *start) ? start : std::nullopt;
}

bool IsUnchanged(const RegionVariables& variables, const PointerStart& start) {
  const std::vector<const clang::ValueDecl*> names = NamedIn(start.distance);
  return std::none_of(names.begin(), names.end(), [&](const clang::ValueDecl* name) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
    return variable != nullptr && (!variable->getType()->isIntegerType() || variables.IsWritten(variable) ||
                                   variable->getType().isVolatileQualified() || IsMade(*variable));
  });
}

}  // namespace tune
