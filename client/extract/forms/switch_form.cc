#include "client/extract/forms/switch_form.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <string>
#include <utility>
#include <vector>

#include "client/extract/tree/body_end.h"

namespace tune {
namespace {

// Labels that stand side by side, and what is executed from there on.
struct Case {
  std::vector<const clang::CaseStmt*> labels;
  bool is_default = false;
  Statements body;
  bool ends = false;  // with a `break`
};

class SwitchReader {
 public:
  SwitchReader(const clang::ASTContext& ast, const clang::SwitchStmt& choice)
      : ast_(const_cast<clang::ASTContext&>(ast)), choice_(choice) {}

  Accepted<const clang::Stmt*> Read() {
    if (choice_.getCond()->HasSideEffects(ast_))
      return No(choice_.getCond()->getSourceRange(), "a `switch` on a value with side effects");
    for (const clang::Stmt* statement : StatementsOf(*choice_.getBody())) {
      if (auto refusal = Add(*statement)) return *std::move(refusal);
    }
    return Chain();
  }

 private:
  static Refusal No(clang::SourceRange range, std::string reason) {
    return {range, std::move(reason), "write it as `if` statements"};
  }

  std::optional<Refusal> Add(const clang::Stmt& statement) {
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&statement)) return AddLabel(*label);
    if (cases_.empty())
      return No(statement.getSourceRange(), "a statement of a `switch` before its first case");
    Case& last = cases_.back();
    if (last.ends) {  // nobody gets there
      return No(statement.getSourceRange(), "a statement of a `switch` behind a `break`");
    }
    const bool is_block = llvm::isa<clang::CompoundStmt>(statement);
    Statements parts = is_block ? StatementsOf(statement) : Statements{&statement};
    const bool has_break = !parts.empty() && llvm::isa<clang::BreakStmt>(*parts.back());
    last.ends = has_break || (!parts.empty() && llvm::isa<clang::ContinueStmt>(*parts.back()));
    if (has_break) parts.pop_back();
    for (const clang::Stmt* part : parts) {
      if (HasBreak(*part)) {
        return No(part->getSourceRange(),
                  "a `break` that is not the end of a case at the outermost level of its `switch`");
      }
    }
    last.body.push_back(is_block ? Block(parts) : parts.empty() ? nullptr : parts[0]);
    if (last.body.back() == nullptr) last.body.pop_back();
    return std::nullopt;
  }

  std::optional<Refusal> AddLabel(const clang::SwitchCase& label) {
    if (cases_.empty() || !cases_.back().body.empty() || cases_.back().ends) cases_.emplace_back();
    const auto* value = llvm::dyn_cast<clang::CaseStmt>(&label);
    if (value == nullptr) {
      cases_.back().is_default = true;
    } else {
      cases_.back().labels.push_back(value);
    }
    return Add(*label.getSubStmt());
  }

  // From the last case to the first one; the default's branch stands innermost.
  const clang::Stmt* Chain() const {
    const clang::Stmt* chain = nullptr;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i].is_default) chain = BodyFrom(i);
    }
    for (size_t i = cases_.size(); i-- > 0;) {
      // Those beside `default` are what no other label takes.
      if (!cases_[i].is_default) chain = Choice(Condition(cases_[i]), BodyFrom(i), chain);
    }
    return chain;
  }

  // What is executed from the case on, up to a `break`.
  clang::Stmt* BodyFrom(size_t first) const {
    Statements all;
    for (size_t i = first; i < cases_.size(); ++i) {
      all.insert(all.end(), cases_[i].body.begin(), cases_[i].body.end());
      if (cases_[i].ends) break;
    }
    return Block(all);
  }

  clang::CompoundStmt* Block(const Statements& statements) const {
    std::vector<clang::Stmt*> parts;
    for (const clang::Stmt* statement : statements) parts.push_back(const_cast<clang::Stmt*>(statement));
    return clang::CompoundStmt::Create(ast_, parts, clang::FPOptionsOverride(), choice_.getBeginLoc(),
                                       choice_.getEndLoc());
  }

  // x == 1 || (x >= 3 && x <= 5)
  clang::Expr* Condition(const Case& one) const {
    clang::Expr* any = nullptr;
    for (const clang::CaseStmt* label : one.labels) {
      clang::Expr* same = IsTaken(*label);
      any = any == nullptr ? same : Operation(any, same, clang::BO_LOr);
    }
    return any;
  }

  clang::Expr* IsTaken(const clang::CaseStmt& label) const {
    auto* value = const_cast<clang::Expr*>(choice_.getCond());
    auto* first = const_cast<clang::Expr*>(label.getLHS());
    auto* last = const_cast<clang::Expr*>(label.getRHS());  // of `case 3 ... 5`
    if (last == nullptr) return Operation(value, first, clang::BO_EQ);
    return Operation(Operation(value, first, clang::BO_GE), Operation(value, last, clang::BO_LE),
                     clang::BO_LAnd);
  }

  clang::Expr* Operation(clang::Expr* left, clang::Expr* right, clang::BinaryOperatorKind op) const {
    return clang::BinaryOperator::Create(ast_, left, right, op, ast_.IntTy, clang::VK_PRValue,
                                         clang::OK_Ordinary, choice_.getSwitchLoc(),
                                         clang::FPOptionsOverride());
  }

  const clang::Stmt* Choice(clang::Expr* condition, clang::Stmt* then, const clang::Stmt* otherwise) const {
    return clang::IfStmt::Create(ast_, choice_.getSwitchLoc(), clang::IfStatementKind::Ordinary, nullptr,
                                 nullptr, condition, choice_.getLParenLoc(), choice_.getRParenLoc(), then,
                                 choice_.getSwitchLoc(), const_cast<clang::Stmt*>(otherwise));
  }

  clang::ASTContext& ast_;
  const clang::SwitchStmt& choice_;
  std::vector<Case> cases_;
};

}  // namespace

Accepted<const clang::Stmt*> ReadSwitch(const clang::ASTContext& ast, const clang::SwitchStmt& choice) {
  return SwitchReader(ast, choice).Read();
}

}  // namespace tune
