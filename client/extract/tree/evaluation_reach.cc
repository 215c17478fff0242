#include "client/extract/tree/evaluation_reach.h"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace tune {
namespace {

// Whether a part is evaluated wherever the whole is.
bool IsCertain(const clang::Stmt& whole, const clang::Stmt& part, int place) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole))
    return &part == loop->getInit() || &part == loop->getCond();
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&whole)) return &part == loop->getCond();
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&whole)) return &part == choice->getCond();
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&whole)) return &part == choice->getCond();
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&whole))
    return !operation->isLogicalOp() || place == 0;
  return llvm::isa<clang::CompoundStmt>(whole) || llvm::isa<clang::DeclStmt>(whole) ||
         llvm::isa<clang::CastExpr>(whole) || llvm::isa<clang::ParenExpr>(whole) ||
         llvm::isa<clang::ArraySubscriptExpr>(whole) || llvm::isa<clang::UnaryOperator>(whole) ||
         llvm::isa<clang::CallExpr>(whole);
}

}  // namespace

Reach ReachOf(const clang::Stmt& whole, const clang::Stmt& part, int place, Reach reach) {
  if (reach == Reach::kMaybe || IsCertain(whole, part, place)) return reach;
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole);
  return loop != nullptr && loop->getCond() != nullptr ? Reach::kInLoops : Reach::kMaybe;
}

bool IsJump(const clang::Stmt& statement) {
  return llvm::isa<clang::BreakStmt>(statement) || llvm::isa<clang::ContinueStmt>(statement) ||
         llvm::isa<clang::ReturnStmt>(statement) || llvm::isa<clang::GotoStmt>(statement);
}

}  // namespace tune
