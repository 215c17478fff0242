#include "client/extract/tree/body_end.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace tune {
namespace {

// Whether the statement has a `continue` that is not of a loop in it.
bool GoesOn(const clang::Stmt& statement) {
  if (llvm::isa<clang::ContinueStmt>(statement)) return true;
  return !IsLoop(statement) &&
         std::any_of(statement.child_begin(), statement.child_end(),
                     [](const clang::Stmt* child) { return child != nullptr && GoesOn(*child); });
}

}  // namespace

bool IsLoop(const clang::Stmt& statement) {
  return llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
         llvm::isa<clang::DoStmt>(statement);
}

Statements StatementsOf(const clang::Stmt& statement) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement);
  if (block == nullptr) return {&statement};
  return {block->body_begin(), block->body_end()};
}

Statements AllStatementsOf(const clang::Stmt& statement) {
  Statements all = StatementsOf(statement);
  while (!all.empty() && llvm::isa<clang::CompoundStmt>(all.back())) {
    const Statements last = StatementsOf(*all.back());
    all.pop_back();
    all.insert(all.end(), last.begin(), last.end());
  }
  return all;
}

bool EndsBody(const clang::ASTContext& ast, const clang::Stmt& statement, Whole whole) {
  if (whole == Whole::kLoop)
    return llvm::isa<clang::ContinueStmt>(statement) || llvm::isa<clang::BreakStmt>(statement);
  const auto* result = llvm::dyn_cast<clang::ReturnStmt>(&statement);
  if (whole != Whole::kFunction || result == nullptr) return false;
  return result->getRetValue() == nullptr || !result->getRetValue()->HasSideEffects(ast);
}

bool SkipsRest(const clang::ASTContext& ast, const clang::Stmt* branch, Whole whole) {
  if (branch == nullptr) return false;
  const Statements statements = AllStatementsOf(*branch);
  return !statements.empty() && EndsBody(ast, *statements.back(), whole);
}

bool SkipsRest(const clang::ASTContext& ast, const clang::IfStmt& choice, Whole whole) {
  if (SkipsRest(ast, choice.getThen(), whole) || SkipsRest(ast, choice.getElse(), whole)) return true;
  const auto* next = llvm::dyn_cast_or_null<clang::IfStmt>(choice.getElse());
  return next != nullptr && SkipsRest(ast, *next, whole);
}

bool HasEndOfBody(const clang::ASTContext& ast, const clang::Stmt& statement, Whole whole) {
  if (EndsBody(ast, statement, whole)) return true;
  const bool is_other = IsLoop(statement) || llvm::isa<clang::SwitchStmt>(statement);
  return whole != Whole::kNothing && !is_other && !llvm::isa<clang::Expr>(statement) &&
         std::any_of(statement.child_begin(), statement.child_end(), [&](const clang::Stmt* child) {
           return child != nullptr && HasEndOfBody(ast, *child, whole);
         });
}

bool HasContinue(const clang::Stmt& statement) {
  if (llvm::isa<clang::ContinueStmt>(statement) || llvm::isa<clang::GotoStmt>(statement)) return true;
  const auto* once = llvm::dyn_cast<clang::DoStmt>(&statement);
  return (!IsLoop(statement) || (once != nullptr && IsExecutedOnce(*once))) &&
         std::any_of(statement.child_begin(), statement.child_end(),
                     [](const clang::Stmt* child) { return child != nullptr && HasContinue(*child); });
}

bool HasBreak(const clang::Stmt& statement) {
  if (llvm::isa<clang::BreakStmt>(statement)) return true;
  return !IsLoop(statement) && !llvm::isa<clang::SwitchStmt>(statement) &&
         std::any_of(statement.child_begin(), statement.child_end(),
                     [](const clang::Stmt* child) { return child != nullptr && HasBreak(*child); });
}

bool HasJump(const clang::Stmt& statement) { return HasContinue(statement) || HasBreak(statement); }

bool HasJump(const Statements& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [](const clang::Stmt* statement) { return HasJump(*statement); });
}

bool IsExecutedOnce(const clang::DoStmt& loop) {
  const auto* never = llvm::dyn_cast<clang::IntegerLiteral>(loop.getCond()->IgnoreParenImpCasts());
  return never != nullptr && never->getValue() == 0 && !GoesOn(*loop.getBody()) && !HasBreak(*loop.getBody());
}

}  // namespace tune
