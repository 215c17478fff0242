#include "client/extract/entering_index.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "client/extract/made_tree.h"
#include "client/extract/region_variables.h"
#include "client/extract/tree_visitor.h"
#include "client/extract/values_behind.h"

namespace tune {
namespace {

// Variables that assignments set to another value than one that is some number away.
class SetVariables : public TreeVisitor {
 public:
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const bool moves =
        operation->getOpcode() == clang::BO_AddAssign || operation->getOpcode() == clang::BO_SubAssign;
    if (operation->isAssignmentOp() && !moves) all.insert(NamedVariable(operation->getLHS()));
    return true;
  }
  std::set<const clang::VarDecl*> all;
};

// Lets variables of our own stand for others.
class Renamer {
 public:
  Renamer(const clang::ASTContext& ast, const clang::FunctionDecl& function, TreeChanges* changes)
      : ast_(ast), function_(function), changes_(changes) {}

  // int n = n; of which the first one is our own.
  clang::Stmt* Declaration(const clang::VarDecl* variable, clang::SourceLocation place) {
    const TreeMaker make(ast_, function_, place);
    clang::VarDecl* own =
        make.Variable(variable->getNameAsString(), variable->getType().getUnqualifiedType());
    own->setInit(make.Value(const_cast<clang::VarDecl*>(variable)));
    own_[variable] = own;
    return new (const_cast<clang::ASTContext&>(ast_)) clang::DeclStmt(clang::DeclGroupRef(own), place, place);
  }

  void Statement(clang::Stmt** slot) {
    if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(*slot)) {
      const auto own = own_.find(llvm::dyn_cast<clang::VarDecl>(reference->getDecl()));
      if (own != own_.end())
        changes_->Change(slot, TreeMaker(ast_, function_, reference->getLocation()).Name(own->second));
      return;
    }
    for (clang::Stmt*& child : (*slot)->children()) {
      if (child != nullptr) Statement(&child);
    }
  }

 private:
  const clang::ASTContext& ast_;
  const clang::FunctionDecl& function_;
  TreeChanges* const changes_;
  std::map<const clang::VarDecl*, clang::VarDecl*> own_;
};

}  // namespace

EnteringIndices::EnteringIndices(const clang::ASTContext& ast, const FoundRegion& region)
    : statements_(region.statements) {
  const RegionVariables variables(ast, *region.function, statements_);
  SetVariables set;
  for (const clang::Stmt* statement : statements_) set.TraverseStmt(const_cast<clang::Stmt*>(statement));
  std::vector<const clang::VarDecl*> entering;
  for (const clang::VarDecl* variable : variables.mentioned()) {
    const bool is_moved = variables.assigned_indices().count(variable) > 0 && set.all.count(variable) == 0 &&
                          !variables.IsDeclaredInside(variable);
    if (is_moved && std::find(entering.begin(), entering.end(), variable) == entering.end())
      entering.push_back(variable);
  }
  if (entering.empty()) return;
  const ValuesBehind behind(ast, region);
  Renamer renamer(ast, *region.function, &changes_);
  Statements declarations;
  for (const clang::VarDecl* variable : entering) {
    if (behind.ReadOf(variable) == nullptr && !behind.ComesAgain(variable))
      declarations.push_back(renamer.Declaration(variable, statements_.front()->getBeginLoc()));
  }
  for (const clang::Stmt*& statement : statements_) renamer.Statement(const_cast<clang::Stmt**>(&statement));
  statements_.insert(statements_.begin(), declarations.begin(), declarations.end());
}

}  // namespace tune
