#include "client/extract/forms/plain_statement.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <vector>

#include "client/extract/tree/statement_list.h"

namespace tune {
namespace {

class StatementMaker {
 public:
  explicit StatementMaker(const clang::ASTContext& ast) : ast_(const_cast<clang::ASTContext&>(ast)) {}

  // Adds what stands for the statement; false where it stays.
  bool Replace(clang::Stmt* statement, std::vector<clang::Stmt*>* all) const {
    auto* written = llvm::dyn_cast<clang::Expr>(statement);
    if (written == nullptr || !written->HasSideEffects(ast_)) return false;
    clang::Expr* expression = written->IgnoreParens();
    if (auto* block = llvm::dyn_cast<clang::StmtExpr>(expression)) {
      all->push_back(block->getSubStmt());
    } else if (auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
      if (cast->getCastKind() != clang::CK_ToVoid) return false;
      all->push_back(cast->getSubExpr());
    } else if (auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      all->push_back(If(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()));
    } else if (auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
      return Parts(*operation, all);
    } else {
      return false;
    }
    return true;
  }

 private:
  bool Parts(const clang::BinaryOperator& operation, std::vector<clang::Stmt*>* all) const {
    clang::Expr *left = operation.getLHS(), *right = operation.getRHS();
    if (operation.isCommaOp()) {
      for (clang::Expr* part : {left, right}) all->push_back(Effect(part));
      return true;
    }
    // Where the right side alone has effects; else what is on the left would be looked at as a value.
    if (!operation.isLogicalOp()) return false;
    const bool holds = operation.getOpcode() == clang::BO_LAnd;
    all->push_back(holds ? If(left, right, nullptr) : If(left, nullptr, right));
    return true;
  }

  // The expression as a statement, without conversions of its value, unless one is the effect (a volatile
  // variable is read); an empty one where it does nothing.
  clang::Stmt* Effect(clang::Expr* expression) const {
    if (!expression->HasSideEffects(ast_)) return new (ast_) clang::NullStmt(expression->getBeginLoc());
    clang::Expr* plain = expression->IgnoreParenImpCasts();
    return plain->HasSideEffects(ast_) ? plain : expression->IgnoreParens();
  }

  clang::Stmt* If(clang::Expr* condition, clang::Expr* then, clang::Expr* otherwise) const {
    const clang::SourceLocation place = condition->getBeginLoc();
    const bool has_else = otherwise != nullptr && otherwise->HasSideEffects(ast_);
    return clang::IfStmt::Create(ast_, place, clang::IfStatementKind::Ordinary, /*Init=*/nullptr,
                                 /*Var=*/nullptr, condition, place, condition->getEndLoc(),
                                 then == nullptr ? new (ast_) clang::NullStmt(place) : Effect(then),
                                 has_else ? otherwise->getBeginLoc() : clang::SourceLocation(),
                                 has_else ? Effect(otherwise) : nullptr);
  }

  clang::ASTContext& ast_;
};

}  // namespace

PlainStatements::PlainStatements(const clang::ASTContext& ast, const Statements& statements)
    : statements_(statements) {
  const StatementMaker maker(ast);
  ReplaceStatements(
      ast, &statements_, &changes_,
      [&](clang::Stmt* statement, std::vector<clang::Stmt*>* all) { return maker.Replace(statement, all); });
}

}  // namespace tune
