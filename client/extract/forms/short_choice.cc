#include "client/extract/forms/short_choice.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace tune {
namespace {

class ChoiceLowerer {
 public:
  ChoiceLowerer(clang::ASTContext& ast, TreeChanges* changes) : ast_(ast), changes_(changes) {}

  void Statement(clang::Stmt** slot) {
    auto* choice = llvm::dyn_cast<clang::BinaryConditionalOperator>(*slot);
    if (choice != nullptr && !choice->getCommon()->HasSideEffects(ast_))
      changes_->Change(slot, Whole(*choice));
    for (clang::Stmt*& child : (*slot)->children()) {
      if (child != nullptr) Statement(&child);
    }
  }

 private:
  clang::Expr* Whole(clang::BinaryConditionalOperator& choice) {
    clang::Expr* condition = Opened(choice.getCond());
    clang::Expr* then = Opened(choice.getTrueExpr());
    return new (ast_) clang::ConditionalOperator(
        condition, choice.getQuestionLoc(), then, choice.getColonLoc(), choice.getFalseExpr(),
        choice.getType(), choice.getValueKind(), choice.getObjectKind());
  }

  // The value that the node for "x, once it is evaluated" stands for, with the conversions around it.
  clang::Expr* Opened(clang::Expr* expression) {
    if (auto* once = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) return once->getSourceExpr();
    auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression);
    if (cast == nullptr) return expression;
    return clang::ImplicitCastExpr::Create(ast_, cast->getType(), cast->getCastKind(),
                                           Opened(cast->getSubExpr()), nullptr, cast->getValueKind(),
                                           clang::FPOptionsOverride());
  }

  clang::ASTContext& ast_;
  TreeChanges* const changes_;
};

}  // namespace

ShortChoices::ShortChoices(const clang::ASTContext& ast, const Statements& statements)
    : statements_(statements) {
  ChoiceLowerer lowerer(const_cast<clang::ASTContext&>(ast), &changes_);
  for (const clang::Stmt*& statement : statements_) lowerer.Statement(const_cast<clang::Stmt**>(&statement));
}

}  // namespace tune
