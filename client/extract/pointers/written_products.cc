#include "client/extract/pointers/written_products.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

#include "client/extract/region/region_variables.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

using Variables = std::vector<const clang::VarDecl*>;

const clang::BinaryOperator* AsProduct(const clang::Expr& expression) {
  const auto* product = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreParenCasts());
  return product != nullptr && product->getOpcode() == clang::BO_Mul ? product : nullptr;
}

// Null for those that are no variables.
void AddFactors(const clang::Expr& expression, Variables* all) {
  if (const clang::BinaryOperator* product = AsProduct(expression)) {
    AddFactors(*product->getLHS(), all);
    AddFactors(*product->getRHS(), all);
  } else {
    all->push_back(NamedVariable(expression.IgnoreParenCasts()));
  }
}

}  // namespace

class WrittenProducts::Collector : public TreeVisitor {
 public:
  explicit Collector(WrittenProducts* all) : all_(*all) {}

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    struct Multiplied : TreeVisitor {
      bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
        if (AsProduct(*operation) != nullptr) AddFactors(*operation, &variables);
        return true;
      }
      Variables variables;
    } multiplied;
    multiplied.TraverseStmt(element->getIdx());
    all_.in_subscripts_[NamedVariable(element->getBase())].insert(multiplied.variables.begin(),
                                                                  multiplied.variables.end());
    return true;
  }

  bool VisitForStmt(clang::ForStmt* loop) override {
    const auto* condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    if (condition == nullptr || !condition->isComparisonOp()) return true;
    for (const clang::Expr* side : {condition->getLHS(), condition->getRHS()}) {
      Variables factors;
      AddFactors(*side, &factors);
      std::sort(factors.begin(), factors.end());
      all_.bounds_.insert(std::move(factors));
    }
    return true;
  }

 private:
  WrittenProducts& all_;
};

WrittenProducts::WrittenProducts(const Statements& statements) {
  Collector collector(this);
  for (const clang::Stmt* statement : statements) collector.TraverseStmt(const_cast<clang::Stmt*>(statement));
}

bool WrittenProducts::IsInSubscript(const clang::VarDecl* array, const clang::VarDecl* factor) const {
  const auto found = in_subscripts_.find(array);
  return array != nullptr && factor != nullptr && found != in_subscripts_.end() &&
         found->second.count(factor) > 0;
}

bool WrittenProducts::IsBound(Variables factors) const {
  std::sort(factors.begin(), factors.end());
  return std::find(factors.begin(), factors.end(), nullptr) == factors.end() && bounds_.count(factors) > 0;
}

}  // namespace tune
