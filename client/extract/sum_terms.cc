#include "client/extract/sum_terms.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <algorithm>

namespace tune {

std::vector<SumTerm> TermsOfSum(const clang::ASTContext& ast, const clang::BinaryOperator& sum) {
  const clang::QualType type = sum.getType();
  std::vector<SumTerm> terms;
  const clang::Expr* left = &sum;
  while (type->isRealFloatingType()) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(left);
    if (binary == nullptr || !binary->isAdditiveOp() || !ast.hasSameUnqualifiedType(binary->getType(), type))
      break;
    terms.push_back({binary->getRHS(), binary->getOpcode() == clang::BO_Sub});
    left = binary->getLHS()->IgnoreParens();
  }
  terms.push_back({left, false});
  std::reverse(terms.begin(), terms.end());
  return terms;
}

}  // namespace tune
