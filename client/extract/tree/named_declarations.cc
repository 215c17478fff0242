#include "client/extract/tree/named_declarations.h"

#include <algorithm>
#include <utility>

#include "client/extract/tree/tree_visitor.h"

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

bool Mentions(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
  const std::vector<const clang::ValueDecl*> names = NamedIn(statement);
  return std::find(names.begin(), names.end(), declaration) != names.end();
}

}  // namespace tune
