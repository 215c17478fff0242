#include "client/extract/tree/tree_changes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace tune {
bool IsStatementOf(const clang::Stmt& whole, const clang::Stmt* part) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole)) return part == loop->getBody();
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&whole)) return part == loop->getBody();
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&whole)) return part == loop->getBody();
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&whole))
    return part == choice->getThen() || part == choice->getElse();
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&whole)) return part == choice->getBody();
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&whole)) return part == label->getSubStmt();
  return llvm::isa<clang::CompoundStmt>(whole) || llvm::isa<clang::LabelStmt>(whole);
}

TreeChanges::~TreeChanges() {
  for (auto change = changed_.rbegin(); change != changed_.rend(); ++change) *change->first = change->second;
}

void TreeChanges::Change(clang::Stmt** slot, clang::Stmt* now) {
  changed_.emplace_back(slot, *slot);
  *slot = now;
}

void VisitExpressions(clang::Stmt** slot, const std::function<void(clang::Stmt**)>& visit) {
  if (llvm::isa<clang::Expr>(*slot)) return visit(slot);
  for (clang::Stmt*& child : (*slot)->children()) {
    if (child != nullptr && IsStatementOf(**slot, child)) VisitExpressions(&child, visit);
  }
}

clang::Expr* ValueOf(const clang::ASTContext& ast, clang::Expr* place) {
  return clang::ImplicitCastExpr::Create(ast, place->getType().getUnqualifiedType(), clang::CK_LValueToRValue,
                                         place, nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
}

clang::Expr* Converted(const clang::ASTContext& ast, clang::Expr* value, clang::QualType type) {
  const clang::QualType from = value->getType();
  if (ast.hasSameUnqualifiedType(from, type)) return value;
  clang::CastKind kind = clang::CK_IntegralCast;
  if (type->isBooleanType()) {
    kind = from->isFloatingType() ? clang::CK_FloatingToBoolean : clang::CK_IntegralToBoolean;
  } else if (type->isFloatingType()) {
    kind = from->isFloatingType() ? clang::CK_FloatingCast : clang::CK_IntegralToFloating;
  } else if (from->isFloatingType()) {
    kind = clang::CK_FloatingToIntegral;
  }
  return clang::ImplicitCastExpr::Create(ast, type.getUnqualifiedType(), kind, value, nullptr,
                                         clang::VK_PRValue, clang::FPOptionsOverride());
}

}  // namespace tune
