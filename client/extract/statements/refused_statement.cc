#include "client/extract/statements/refused_statement.h"

#include <clang/AST/Stmt.h>

#include <string>
#include <utility>

namespace tune {
namespace {

// The reason and remedy.
std::pair<std::string, std::string> WhyNot(const clang::Stmt& statement) {
  switch (statement.getStmtClass()) {
    case clang::Stmt::WhileStmtClass:
    case clang::Stmt::DoStmtClass:
      return {"a `while` loop: the number of its iterations is not known before it runs",
              "write it as a `for` loop with affine bounds, or end the region before it"};
    case clang::Stmt::SwitchStmtClass:
      return {"a `switch`", "write it as `if` statements with affine conditions"};
    case clang::Stmt::BreakStmtClass:
      return {"a `break` that is not the end of an `if` in the loop's own body",
              "express the end of the loop in its condition"};
    case clang::Stmt::ContinueStmtClass:
      return {"a `continue` that is not the end of an `if` in the loop's own body",
              "put the statements that it skips into an `if` with the opposite condition"};
    case clang::Stmt::ReturnStmtClass:
      return {"a `return` inside the region", "put it behind `#pragma endscop`"};
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::IndirectGotoStmtClass:
      return {"a `goto` that is not the end of an `if` and leads forward in the same block",
              "use `for` loops and `if` statements"};
    default:
      return {"a statement of a kind that a scop cannot hold",
              "use `for` loops, `if` statements and assignments"};
  }
}

// The keyword of a statement: enough to point at.
clang::SourceRange Head(const clang::Stmt& statement) {
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement))
    return {loop->getWhileLoc(), loop->getRParenLoc()};
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement))
    return {choice->getSwitchLoc(), choice->getRParenLoc()};
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement))
    return {loop->getDoLoc(), loop->getDoLoc()};
  return statement.getSourceRange();
}

}  // namespace

Refusal RefuseStatement(const clang::Stmt& statement, bool is_called) {
  if (is_called && llvm::isa<clang::ReturnStmt>(statement)) {
    return {
        statement.getSourceRange(),
        "a `return` that is not the end of an `if` in the body of the called function, or stands beside a "
        "`goto`",
        "put the statements that it leaves out into an `if` with the opposite condition"};
  }
  auto [reason, remedy] = WhyNot(statement);
  return {Head(statement), reason, remedy};
}

Refusal RefuseNothing(clang::SourceLocation begin, clang::SourceRange end) {
  if (end.isInvalid()) {
    return {{begin, begin},
            "the region executes no statement",
            "mark a region that assigns to arrays or scalars"};
  }
  return {
      end,
      "at no size the region executes a statement unless an assertion, `abort` or `exit` ends the program",
      "correct their conditions, which together exclude all sizes"};
}

}  // namespace tune
