#include "client/extract/tree/entry_value.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/write_visitor.h"

namespace tune {
namespace {

// The names that assignments, ++ and -- of a function change.
class ChangedNames : public WriteVisitor {
 public:
  bool VisitWrite(clang::Expr* target, clang::Expr*) override {
    all.insert(target->IgnoreParens());
    return true;
  }
  std::set<const clang::Stmt*> all;
};

bool HasJumpToLabel(const clang::Stmt& statement) {
  return llvm::isa<clang::GotoStmt>(statement) || llvm::isa<clang::IndirectGotoStmt>(statement) ||
         llvm::isa<clang::SwitchStmt>(statement) ||
         std::any_of(statement.child_begin(), statement.child_end(),
                     [](const clang::Stmt* child) { return child != nullptr && HasJumpToLabel(*child); });
}

bool IsAnyLoop(const clang::Stmt& statement) {
  return IsLoop(statement) || statement.getStmtClass() == clang::Stmt::CXXForRangeStmtClass;
}

// Whether a loop has both places in it, and not the third.
bool LoopsAround(const clang::SourceManager& manager, const clang::Stmt& statement, clang::SourceLocation one,
                 clang::SourceLocation other, clang::SourceLocation third) {
  const auto is_inside = [&](clang::SourceLocation place) {
    const clang::SourceLocation at = manager.getExpansionLoc(place);
    return !manager.isBeforeInTranslationUnit(at, manager.getExpansionLoc(statement.getBeginLoc())) &&
           !manager.isBeforeInTranslationUnit(manager.getExpansionLoc(statement.getEndLoc()), at);
  };
  if (IsAnyLoop(statement) && is_inside(one) && is_inside(other) && !is_inside(third)) return true;
  return std::any_of(statement.child_begin(), statement.child_end(), [&](const clang::Stmt* child) {
    return child != nullptr && LoopsAround(manager, *child, one, other, third);
  });
}

}  // namespace

std::optional<llvm::APSInt> ValueAtEntry(const clang::ASTContext& ast, const FoundRegion& region,
                                         const ValuesBehind& behind, const clang::VarDecl& variable) {
  const clang::Expr* initial = variable.getInit();
  const clang::Stmt* body = region.function->getBody();
  clang::Expr::EvalResult value;
  if (!variable.isLocalVarDecl() || !variable.hasLocalStorage() || initial == nullptr ||
      initial->isValueDependent() || !initial->EvaluateAsInt(value, ast) || HasJumpToLabel(*body))
    return std::nullopt;
  ChangedNames changed;
  changed.TraverseStmt(const_cast<clang::Stmt*>(body));
  const clang::SourceManager& manager = ast.getSourceManager();
  const auto outside = behind.references().find(&variable);
  if (outside != behind.references().end()) {
    for (const clang::DeclRefExpr* reference : outside->second) {
      if (changed.all.count(reference) == 0) continue;
      const bool is_ahead = manager.isBeforeInTranslationUnit(
          manager.getExpansionLoc(reference->getLocation()), manager.getExpansionLoc(region.begin));
      if (is_ahead ||
          LoopsAround(manager, *body, reference->getLocation(), region.begin, variable.getLocation()))
        return std::nullopt;
    }
  }
  return value.Val.getInt();
}

}  // namespace tune
