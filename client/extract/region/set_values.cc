#include "client/extract/region/set_values.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>
#include <utility>

#include "client/extract/calls/called_function.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

const clang::VarDecl* VariableOf(const clang::Expr& target) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(target.IgnoreParens());
  return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
}

bool HasJump(const clang::Stmt& statement) {
  if (llvm::isa<clang::ContinueStmt>(statement) || llvm::isa<clang::BreakStmt>(statement) ||
      llvm::isa<clang::GotoStmt>(statement) || llvm::isa<clang::ReturnStmt>(statement))
    return true;
  return std::any_of(statement.child_begin(), statement.child_end(),
                     [](const clang::Stmt* child) { return child != nullptr && HasJump(*child); });
}

// Walks in the order of the text, with the conditions under which it is at each place.
class SettingsWalk {
 public:
  void Walk(const clang::Stmt* statement) {
    if (statement == nullptr) return;
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(statement))
      return Choose(*choice, *choice->getCond());
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement))
      return Choose(*choice, *choice->getCond());
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(statement))
      return Choose(*choice, *choice->getCond());
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
      if (operation->isLogicalOp()) return Choose(*operation, *operation->getLHS());
      if (operation->isAssignmentOp()) Set(*operation->getLHS(), operation->getRHS());
    }
    if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(statement);
        operation != nullptr && operation->isIncrementDecrementOp())
      Set(*operation->getSubExpr(), nullptr);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) Enter(*call);
    const size_t around = conditions_.size();
    WalkParts(*statement);
    const bool is_loop = llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
                         llvm::isa<clang::DoStmt>(statement);
    if (is_loop) conditions_.resize(around);
  }

  SetValues found;

 private:
  void WalkParts(const clang::Stmt& statement) {
    for (const clang::Stmt* child : statement.children()) Walk(child);
  }
  // What stands behind a jump is executed under the condition as well, to the end of the loop.
  void Choose(const clang::Stmt& choice, const clang::Expr& condition) {
    const size_t around = conditions_.size();
    conditions_.push_back(&condition);
    WalkParts(choice);
    if (!HasJump(choice)) conditions_.resize(around);
  }
  void Set(const clang::Expr& target, const clang::Expr* value) {
    const clang::VarDecl* variable = VariableOf(target);
    if (variable == nullptr) return;
    SetValue& set = found[variable];
    if (value != nullptr) set.values.push_back(value);
    set.conditions.insert(set.conditions.end(), conditions_.begin(), conditions_.end());
  }
  void Enter(const clang::CallExpr& call) {
    const clang::FunctionDecl* function = FunctionInSight(call);
    if (function == nullptr || !entered_.insert(function).second) return;
    const size_t around = conditions_.size();
    Walk(function->getBody());
    conditions_.resize(around);
  }

  std::vector<const clang::Expr*> conditions_;
  std::set<const clang::FunctionDecl*> entered_;
};

class OriginsFinder : public TreeVisitor {
 public:
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    found.data = true;
    if (NamedIn(access->getIdx()).empty()) found.from_before = true;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr*) override { return found.data = found.from_before = true; }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->getOpcode() == clang::UO_Deref) found.data = found.from_before = true;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* function = FunctionInSight(*call);
    if (function == nullptr) found.from_before = true;
    if (function != nullptr && entered_.insert(function).second) TraverseStmt(function->getBody());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr) return true;
    if (variable->getType()->isFloatingType()) found.data = true;
    if (variable->getType()->isIntegerType() && seen_.insert(variable).second) open.push_back(variable);
    return true;
  }

  ValueOrigins found;
  std::vector<const clang::VarDecl*> open;  // whose values were not visited

 private:
  std::set<const clang::VarDecl*> seen_;
  std::set<const clang::FunctionDecl*> entered_;
};

}  // namespace

SetValues FindSetValues(const std::vector<const clang::Stmt*>& statements) {
  SettingsWalk walk;
  for (const clang::Stmt* statement : statements) walk.Walk(statement);
  return std::move(walk.found);
}

ValueOrigins FindValueOrigins(const clang::Expr& expression, const SetValues& values) {
  OriginsFinder finder;
  std::set<const clang::Expr*> visited;
  const auto visit = [&](const clang::Expr* part) {
    if (part != nullptr && visited.insert(part).second) finder.TraverseStmt(const_cast<clang::Expr*>(part));
  };
  visit(&expression);
  while (!finder.open.empty() && !(finder.found.data && finder.found.from_before)) {
    const clang::VarDecl* variable = finder.open.back();
    finder.open.pop_back();
    visit(variable->getInit());
    const auto set = values.find(variable);
    if (set == values.end()) continue;
    for (const clang::Expr* value : set->second.values) visit(value);
    for (const clang::Expr* condition : set->second.conditions) visit(condition);
  }
  return finder.found;
}

}  // namespace tune
