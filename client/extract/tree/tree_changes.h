// Changes of a syntax tree that are taken back, and what stands in changed trees.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class QualType;
class Stmt;
}  // namespace clang

namespace tune {

// For as long as it lives the tree is another one.
class TreeChanges {
 public:
  TreeChanges() = default;
  ~TreeChanges();
  TreeChanges(const TreeChanges&) = delete;
  TreeChanges& operator=(const TreeChanges&) = delete;

  // Lets `now` stand in the slot.
  void Change(clang::Stmt** slot, clang::Stmt* now);

 private:
  std::vector<std::pair<clang::Stmt**, clang::Stmt*>> changed_;  // places in the tree, and what was there
};

// Whether the part is executed as a statement of its own: in a block, as a body or branch, behind a label.
bool IsStatementOf(const clang::Stmt& whole, const clang::Stmt* part);

// Visits the slots of expressions that are statements, in what stands in the slot.
void VisitExpressions(clang::Stmt** slot, const std::function<void(clang::Stmt**)>& visit);

// The value of an lvalue.
clang::Expr* ValueOf(const clang::ASTContext& ast, clang::Expr* place);

// A value of arithmetic type in another one, as C converts it.
clang::Expr* Converted(const clang::ASTContext& ast, clang::Expr* value, clang::QualType type);

}  // namespace tune
