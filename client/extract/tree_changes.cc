#include "client/extract/tree_changes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace tune {

TreeChanges::~TreeChanges() {
  for (auto change = changed_.rbegin(); change != changed_.rend(); ++change) *change->first = change->second;
}

void TreeChanges::Change(clang::Stmt** slot, clang::Stmt* now) {
  changed_.emplace_back(slot, *slot);
  *slot = now;
}

clang::Expr* ValueOf(const clang::ASTContext& ast, clang::Expr* place) {
  return clang::ImplicitCastExpr::Create(ast, place->getType().getUnqualifiedType(), clang::CK_LValueToRValue,
                                         place, nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
}

}  // namespace tune
