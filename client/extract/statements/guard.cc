#include "client/extract/statements/guard.h"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>

#include "client/extract/calls/called_function.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/memory_reads.h"
#include "client/extract/tree/tree_visitor.h"
#include "client/extract/tree/write_visitor.h"

namespace tune {
namespace {

class Reads : public TreeVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    variables.insert(reference->getDecl());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* function = FunctionInSight(*call);
    if (function != nullptr && entered_.insert(function).second) TraverseStmt(function->getBody());
    return true;
  }
  std::set<const clang::ValueDecl*> variables;

 private:
  std::set<const clang::FunctionDecl*> entered_;
};

// What assignments change: each variable that a target mentions, which is more than what is changed.
class Effects : public WriteVisitor {
 public:
  bool VisitWrite(clang::Expr* target, clang::Expr*) override {
    Write(target);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) ++assignments;
    return true;
  }
  bool VisitForStmt(clang::ForStmt*) override { return loops = true; }
  bool VisitWhileStmt(clang::WhileStmt*) override { return loops = true; }
  bool VisitDoStmt(clang::DoStmt* loop) override {
    loops = loops || !IsExecutedOnce(*loop);
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt*) override { return loops = true; }  // cases may stand twice
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* function = FunctionInSight(*call);
    if (function == nullptr) return true;
    for (clang::Expr* argument : call->arguments()) Write(argument);  // what a pointer leads to
    if (entered_.insert(function).second) TraverseStmt(function->getBody());
    return true;
  }

  int assignments = 0;
  bool loops = false;
  Reads written;

 private:
  std::set<const clang::FunctionDecl*> entered_;
  void Write(clang::Expr* target) {
    ++assignments;
    written.TraverseStmt(target);
  }
};

// Elements of arrays, members, calls, and numbers that are not integers.
class Data : public MemoryReads {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    found = found || !reference->getType()->isIntegerType();
    return !found;
  }
};

void AppendParts(const clang::Expr& written, clang::BinaryOperatorKind join,
                 std::vector<const clang::Expr*>* all) {
  const clang::Expr& condition = *Bare(&written);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&condition);
  if (binary == nullptr || binary->getOpcode() != join) {
    all->push_back(&condition);
    return;
  }
  AppendParts(*binary->getLHS(), join, all);
  AppendParts(*binary->getRHS(), join, all);
}

void AppendIntegerConditions(const clang::Expr& written, std::vector<const clang::Expr*>* all) {
  const clang::Expr& condition = *Bare(&written);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&condition);
      unary != nullptr && unary->getOpcode() == clang::UO_LNot) {
    AppendIntegerConditions(*unary->getSubExpr(), all);
    return;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&condition);
      binary != nullptr && binary->isLogicalOp()) {
    AppendIntegerConditions(*binary->getLHS(), all);
    AppendIntegerConditions(*binary->getRHS(), all);
    return;
  }
  Data data;
  data.TraverseStmt(const_cast<clang::Expr*>(&condition));
  if (!data.found) all->push_back(&condition);
}

bool HasPointerInside(const RegionVariables& variables, const std::set<const clang::ValueDecl*>& mentioned) {
  return std::any_of(mentioned.begin(), mentioned.end(), [&](const clang::ValueDecl* declaration) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    return variable != nullptr && (variable->getType()->isPointerType() || IsReference(*variable)) &&
           (variables.IsDeclaredInside(variable) || variables.IsWritten(variable));
  });
}

bool HasMemory(const std::set<const clang::ValueDecl*>& mentioned) {
  return std::any_of(mentioned.begin(), mentioned.end(), [](const clang::ValueDecl* declaration) {
    return llvm::isa<clang::VarDecl>(declaration);
  });
}

}  // namespace

ConditionParts PartsOf(const clang::Expr& condition) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(Bare(&condition));
  ConditionParts parts;
  parts.all = binary == nullptr || binary->getOpcode() != clang::BO_LOr;
  AppendParts(condition, parts.all ? clang::BO_LAnd : clang::BO_LOr, &parts.parts);
  return parts;
}

const clang::Expr& WithoutNegation(const clang::Expr& condition, bool* negated) {
  const clang::Expr* inner = Bare(&condition);
  *negated = false;
  for (const clang::UnaryOperator* unary; (unary = llvm::dyn_cast<clang::UnaryOperator>(inner)) != nullptr &&
                                          unary->getOpcode() == clang::UO_LNot;) {
    *negated = !*negated;
    inner = Bare(unary->getSubExpr());
  }
  return *inner;
}

std::vector<const clang::Expr*> IntegerConditions(const clang::Expr& condition) {
  std::vector<const clang::Expr*> all;
  AppendIntegerConditions(condition, &all);
  return all;
}

bool MayBeRepeated(const RegionVariables& variables, const clang::Expr& condition,
                   const std::vector<const clang::Stmt*>& guarded) {
  Effects effects;
  for (const clang::Stmt* statement : guarded) {
    if (statement != nullptr) effects.TraverseStmt(const_cast<clang::Stmt*>(statement));
  }
  if (effects.assignments <= 1 && !effects.loops) return true;
  Reads reads;
  reads.TraverseStmt(const_cast<clang::Expr*>(&condition));
  const std::set<const clang::ValueDecl*>& written = effects.written.variables;
  if (HasPointerInside(variables, reads.variables) || HasPointerInside(variables, written)) {
    // It may lead to what another name stands for.
    if (HasMemory(reads.variables) && HasMemory(written)) return false;
  }
  return std::none_of(reads.variables.begin(), reads.variables.end(), [&](const clang::ValueDecl* variable) {
    return effects.written.variables.count(variable) > 0;
  });
}

const clang::Expr* OnlyAssignment(const clang::Stmt* branch) {
  while (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(branch)) {
    if (block->size() != 1) return nullptr;
    branch = block->body_front();
  }
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(branch);
  if (expression == nullptr) return nullptr;
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParens());
  return assignment != nullptr && assignment->getOpcode() == clang::BO_Assign ? assignment : nullptr;
}

}  // namespace tune
