#include "client/extract/integers/entering_index.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "client/extract/region/region_variables.h"
#include "client/extract/tree/entry_value.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/values_behind.h"
#include "client/extract/tree/write_visitor.h"

namespace tune {
namespace {

// Variables that assignments set to another value than one that is some number away.
class SetVariables : public WriteVisitor {
 public:
  bool VisitWrite(clang::Expr* target, clang::Expr* operation) override {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(operation);
    const bool moves = binary == nullptr || binary->getOpcode() == clang::BO_AddAssign ||
                       binary->getOpcode() == clang::BO_SubAssign;
    if (!moves) all.insert(NamedVariable(target));
    return true;
  }
  std::set<const clang::VarDecl*> all;
};

// int n = n; of which the first one, `own`, is our own.
clang::Stmt* OwnDeclaration(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                            const clang::VarDecl* variable, clang::SourceLocation place,
                            clang::VarDecl** own) {
  const TreeMaker make(ast, function, place);
  *own = make.Variable(variable->getNameAsString(), variable->getType().getUnqualifiedType());
  (*own)->setInit(make.Value(const_cast<clang::VarDecl*>(variable)));
  return new (const_cast<clang::ASTContext&>(ast)) clang::DeclStmt(clang::DeclGroupRef(*own), place, place);
}

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
  Statements declarations;
  std::map<const clang::VarDecl*, clang::VarDecl*> own;
  for (const clang::VarDecl* variable : entering) {
    if (!behind.IsLost(variable)) continue;
    declarations.push_back(
        OwnDeclaration(ast, *region.function, variable, statements_.front()->getBeginLoc(), &own[variable]));
    if (const std::optional<llvm::APSInt> value = ValueAtEntry(ast, region, behind, *variable))
      known_.emplace(variable, llvm::toString(*value, 10));
  }
  for (const clang::Stmt*& statement : statements_)
    NameOthers(ast, *region.function, own, const_cast<clang::Stmt**>(&statement), &changes_);
  statements_.insert(statements_.begin(), declarations.begin(), declarations.end());
}

}  // namespace tune
