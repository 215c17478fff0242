#include "client/extract/tree/sum_terms.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <algorithm>

#include "client/extract/cpp/cpp_lowering.h"

namespace tune {
namespace {

// The sum in floating type `type` that the expression is; null for others.
const clang::BinaryOperator* SumIn(const clang::ASTContext& ast, clang::QualType type,
                                   const clang::Expr& expression) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreParens());
  const bool is_sum =
      binary != nullptr && binary->isAdditiveOp() && ast.hasSameUnqualifiedType(binary->getType(), type);
  return is_sum ? binary : nullptr;
}

// What the expression, a variable of this type, stands for; null for others, references and choices.
const Definition* DefinitionIn(const clang::ASTContext& ast, clang::QualType type, const LoopNest& scope,
                               const clang::Expr& expression) {
  const clang::VarDecl* variable = NamedVariable(&expression);
  const auto defined = scope.definitions.find(variable);
  const bool is_value = defined != scope.definitions.end() && defined->second.expression != nullptr &&
                        defined->second.then == nullptr && !IsReference(*variable) &&
                        ast.hasSameUnqualifiedType(variable->getType(), type) &&
                        ast.hasSameUnqualifiedType(expression.getType(), type);
  return is_value ? &defined->second : nullptr;
}

}  // namespace

std::vector<SumTerm> TermsOfSum(const clang::ASTContext& ast, const LoopNest& scope,
                                const clang::BinaryOperator& sum) {
  const clang::QualType type = sum.getType();
  // A variable of _Float16 is rounded, sums of them that are not stored need not be.
  if (!type->isRealFloatingType() || type->isFloat16Type()) return {{&sum, false, &scope}};
  std::vector<SumTerm> terms;
  const clang::Expr* left = &sum;
  const LoopNest* there = &scope;
  while (true) {
    if (const clang::BinaryOperator* binary = SumIn(ast, type, *left)) {
      terms.push_back({binary->getRHS(), binary->getOpcode() == clang::BO_Sub, there});
      left = binary->getLHS()->IgnoreParens();
      continue;
    }
    const Definition* definition = DefinitionIn(ast, type, *there, *left);
    if (definition == nullptr || SumIn(ast, type, *definition->expression) == nullptr) break;
    left = definition->expression->IgnoreParens();
    there = definition->scope.get();
  }
  terms.push_back({left, false, there});
  std::reverse(terms.begin(), terms.end());
  return terms;
}

}  // namespace tune
