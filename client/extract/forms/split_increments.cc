#include "client/extract/forms/split_increments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/statements/statement_body.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/statement_list.h"
#include "common/scop/c_functions.h"

namespace tune {
namespace {

bool IsOfMath(const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  return function != nullptr && !function->hasBody() && IsPureFunction(function->getNameAsString());
}

// Whether a part of the expression may not be evaluated, or in another order than all the rest.
bool IsApart(const clang::Stmt& part) {
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&part);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&part);
  return llvm::isa<clang::AbstractConditionalOperator>(part) || llvm::isa<clang::StmtExpr>(part) ||
         llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part) || llvm::isa<clang::LambdaExpr>(part) ||
         (call != nullptr && !IsOfMath(*call)) ||
         (operation != nullptr && (operation->isLogicalOp() || operation->isCommaOp()));
}

// The place of an increment in an expression, and its variable.
struct Increment {
  clang::Stmt** slot;
  clang::UnaryOperator* operation;
  clang::DeclRefExpr* name;
};

class Splitter {
 public:
  Splitter(clang::ASTContext& ast, TreeChanges* changes) : ast_(ast), changes_(changes) {}

  // Adds what stands for the statement; false where it stays.
  bool Replace(clang::Stmt* statement, std::vector<clang::Stmt*>* all) {
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) return Declaration(*declaration, all);
    auto* written = llvm::dyn_cast<clang::Expr>(statement);
    if (written == nullptr || !IsAssignment(*written->IgnoreParens())) return false;
    return Split(statement, *written->IgnoreParens(), all);
  }

 private:
  // float x = *p++, y = 0; as float x = *p; p++; float y = 0;
  bool Declaration(clang::DeclStmt& statement, std::vector<clang::Stmt*>* all) {
    bool changes = false;
    std::vector<clang::Stmt*> parts;
    for (clang::Decl* each : statement.decls()) {
      auto* part = &statement;
      if (!statement.isSingleDecl()) {
        part = new (ast_)
            clang::DeclStmt(clang::DeclGroupRef(each), statement.getBeginLoc(), statement.getEndLoc());
      }
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      const bool is_number =
          variable != nullptr && variable->hasLocalStorage() && variable->getInit() != nullptr &&
          !IsReference(*variable) &&
          (variable->getType()->isArithmeticType() || variable->getType()->isPointerType());
      const bool splits = is_number && Split(part, *part, &parts);
      if (!splits) parts.push_back(part);
      changes = changes || splits;
    }
    if (changes) all->insert(all->end(), parts.begin(), parts.end());
    return changes;
  }

  // `whole`: the statement, without parentheses.
  bool Split(clang::Stmt* statement, clang::Stmt& whole, std::vector<clang::Stmt*>* all) {
    increments_.clear();
    Find(&whole);
    const std::vector<const clang::ValueDecl*> named = NamedIn(&whole);
    if (std::any_of(named.begin(), named.end(), MayBeAnother)) return false;
    std::vector<clang::Stmt*> before, behind;
    for (const Increment& each : increments_) {
      if (std::count(named.begin(), named.end(), each.name->getDecl()) != 1) continue;
      (each.operation->isPrefix() ? before : behind).push_back(each.operation);
      changes_->Change(each.slot, each.operation->isLValue() ? each.name : ValueOf(ast_, each.name));
    }
    if (before.empty() && behind.empty()) return false;
    all->insert(all->end(), before.begin(), before.end());
    all->push_back(statement);
    all->insert(all->end(), behind.begin(), behind.end());
    return true;
  }

  void Find(clang::Stmt* part) {
    for (clang::Stmt*& child : part->children()) {
      if (child == nullptr || IsApart(*child)) continue;
      auto* operation = llvm::dyn_cast<clang::UnaryOperator>(child);
      auto* name = operation == nullptr
                       ? nullptr
                       : llvm::dyn_cast<clang::DeclRefExpr>(operation->getSubExpr()->IgnoreParens());
      if (name != nullptr && operation->isIncrementDecrementOp() && IsOwnCounter(*name->getDecl())) {
        increments_.push_back({&child, operation, name});
      } else {
        Find(child);
      }
    }
  }

  static bool IsIntegerOrPointer(clang::QualType type) {
    return type->isIntegerType() || type->isPointerType();
  }

  // Whether the name may be another one of what is incremented: C++ says which of the two comes first.
  static bool MayBeAnother(const clang::ValueDecl* name) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
    return variable != nullptr && IsReference(*variable) && IsIntegerOrPointer(variable->getType());
  }

  static bool IsOwnCounter(const clang::ValueDecl& declaration) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
    return variable != nullptr && variable->hasLocalStorage() && IsIntegerOrPointer(variable->getType()) &&
           !variable->getType().isVolatileQualified() && !IsReference(*variable);
  }

  clang::ASTContext& ast_;
  TreeChanges* const changes_;
  std::vector<Increment> increments_;
};

}  // namespace

SplitIncrements::SplitIncrements(const clang::ASTContext& ast, const Statements& statements)
    : statements_(statements) {
  Splitter splitter(const_cast<clang::ASTContext&>(ast), &changes_);
  ReplaceStatements(ast, &statements_, &changes_,
                    [&](clang::Stmt* statement, std::vector<clang::Stmt*>* all) {
                      return splitter.Replace(statement, all);
                    });
}

}  // namespace tune
