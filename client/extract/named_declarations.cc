#include "client/extract/named_declarations.h"

#include <utility>

#include "client/extract/tree_visitor.h"

namespace tune {

std::vector<const clang::ValueDecl*> NamedIn(const clang::Stmt* statement) {
  return NamedIn(Statements{statement});
}

std::vector<const clang::ValueDecl*> NamedIn(const Statements& statements) {
  struct Names : TreeVisitor {
    bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
      all.push_back(reference->getDecl());
      return true;
    }
    std::vector<const clang::ValueDecl*> all;
  } names;
  for (const clang::Stmt* statement : statements) {
    if (statement != nullptr) names.TraverseStmt(const_cast<clang::Stmt*>(statement));
  }
  return std::move(names.all);
}

}  // namespace tune
