#include "client/extract/calls/called_function.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/calls/function_behind.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/cpp/library_function.h"
#include "client/extract/forms/hint_call.h"
#include "client/extract/loops/unrolled_loop.h"
#include "client/extract/tree/assigned_value.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

constexpr int kMostBranches = 4;  // each doubles the ways through a body
constexpr int kMostRounds = 64;   // of all loops on the ways through a body

class UsesMacros : public TreeVisitor {
 public:
  explicit UsesMacros(clang::Stmt* body) { TraverseStmt(body); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* node) override { return Note(node->getLocation()); }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override { return Note(node->getOperatorLoc()); }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override { return Note(node->getOperatorLoc()); }
  bool VisitVarDecl(clang::VarDecl* node) override { return Note(node->getLocation()); }
  bool VisitCallExpr(clang::CallExpr* node) override { return Note(node->getBeginLoc()); }
  bool VisitLiteral(clang::Expr* node) override { return Note(node->getBeginLoc()); }
  bool found = false;

 private:
  bool Note(clang::SourceLocation place) { return !(found = found || place.isMacroID()); }
};

// Finds a variable of the file that a called function mentions and whose name the region's function gives to
// one of its own.
class MentionsHidden : public TreeVisitor {
 public:
  MentionsHidden(const clang::FunctionDecl& around, const clang::FunctionDecl& called) {
    struct Names : TreeVisitor {
      std::set<std::string> all;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        all.insert(variable->getNameAsString());
        return true;
      }
    } names;
    for (clang::ParmVarDecl* parameter : around.parameters()) names.VisitVarDecl(parameter);
    names.TraverseStmt(around.getBody());
    hidden_ = std::move(names.all);
    TraverseStmt(called.getBody());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable != nullptr && variable->isDefinedOutsideFunctionOrMethod() &&
        hidden_.count(variable->getNameAsString()) > 0)
      found = variable;
    return found == nullptr;
  }
  const clang::VarDecl* found = nullptr;

 private:
  std::set<std::string> hidden_;
};

// Variables that are declared in a body.
class DeclaredIn : public TreeVisitor {
 public:
  explicit DeclaredIn(const clang::Stmt& body) { TraverseStmt(const_cast<clang::Stmt*>(&body)); }
  bool VisitVarDecl(clang::VarDecl* variable) override { return all.insert(variable).second; }
  std::set<const clang::VarDecl*> all;
};

// Follows a body to its `return`, or its last expression, with the meaning that variables have on the way.
class Follower {
 public:
  // `what` stands at `use`: "a call of `f`". `own`: the variables that the body may set.
  Follower(Region& region, clang::SourceRange use, std::string what, std::set<const clang::VarDecl*> own)
      : region_(region), ast_(region.ast), use_(use), what_(std::move(what)), own_(std::move(own)) {}

  // `last`: the value behind the statements; null where they have to return one.
  Accepted<Definition> Follow(Statements statements, LoopNest scope, const clang::Expr* last = nullptr) {
    while (!statements.empty()) {
      const clang::Stmt& next = *statements.front();
      statements.erase(statements.begin());
      if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&next)) {
        statements.insert(statements.begin(), block->body_begin(), block->body_end());
      } else if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(&next)) {
        if (result->getRetValue() == nullptr || last != nullptr) break;
        return Definition{Shared(scope), result->getRetValue(), nullptr, nullptr};
      } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&next)) {
        return Choose(*choice, statements, scope, last);
      } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&next)) {
        const std::optional<UnrolledLoop> unrolled = Unroll(region_, scope, *loop, kMostRounds - rounds_);
        if (!unrolled) return Refuse(next);
        rounds_ += unrolled->rounds;
        statements.insert(statements.begin(), unrolled->statements.begin(), unrolled->statements.end());
      } else if (!IsWithoutEffect(next) && !Define(next, &scope)) {
        return Refuse(next);
      }
    }
    if (last != nullptr && statements.empty()) return Definition{Shared(scope), last, nullptr, nullptr};
    return Refuse("does not return a value on each way through it");
  }

 private:
  // Of assertions where NDEBUG is defined, too.
  bool IsWithoutEffect(const clang::Stmt& statement) const {
    if (llvm::isa<clang::NullStmt>(statement)) return true;
    const auto* expression = llvm::dyn_cast<clang::Expr>(&statement);
    const auto* call =
        expression == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParens());
    return expression != nullptr &&
           (!expression->HasSideEffects(ast_) || (call != nullptr && IsHint(ast_, *call)));
  }

  static std::shared_ptr<const LoopNest> Shared(const LoopNest& scope) {
    return std::make_shared<const LoopNest>(scope);
  }

  static absl::string_view What(const clang::Stmt& statement) {
    if (llvm::isa<clang::GotoStmt>(statement) || llvm::isa<clang::LabelStmt>(statement))
      return "has a `goto`";
    if (llvm::isa<clang::SwitchStmt>(statement)) return "has a `switch`";
    if (llvm::isa<clang::ForStmt>(statement))
      return "has a loop of which it is not known that it has few iterations";
    return IsLoop(statement) ? "has a `while` loop" : "does more than compute a value of its arguments";
  }

  // Functions whose value is not used may have loops.
  Refusal Refuse(const clang::Stmt& statement) const {
    Refusal refusal = Refuse(What(statement));
    if (IsLoop(statement))
      refusal.remedy = absl::StrCat(
          "let it set what a further argument points to, and call it as a statement, or write its body in "
          "its place; `for` loops of a constant number of iterations, ",
          kMostRounds, " of all together, may stay");
    return refusal;
  }

  Refusal Refuse(absl::string_view why) const {
    return {use_, absl::StrCat(what_, ", which ", why),
            "let it consist of declarations, assignments to its own variables, `if` and `return`, or write "
            "its body in its place"};
  }

  Accepted<Definition> Choose(const clang::IfStmt& choice, const Statements& rest, const LoopNest& scope,
                              const clang::Expr* last) {
    if (++branches_ > kMostBranches)
      return Refuse(absl::StrCat("has more than ", kMostBranches, " `if` statements on its ways"));
    const auto follow = [&](const clang::Stmt* branch) {
      Statements all = rest;
      if (branch != nullptr) all.insert(all.begin(), branch);
      return Follow(std::move(all), scope, last);
    };
    TUNE_ASSIGN_OR_REFUSE(Definition then, follow(choice.getThen()));
    TUNE_ASSIGN_OR_REFUSE(Definition otherwise, follow(choice.getElse()));
    return Definition{Shared(scope), choice.getCond(), std::make_shared<const Definition>(std::move(then)),
                      std::make_shared<const Definition>(std::move(otherwise))};
  }

  // T x = e;, x = e;, x += e; and x++; of a variable of its own.
  bool Define(const clang::Stmt& statement, LoopNest* scope) const {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (variable == nullptr || !IsOwn(*variable)) return false;
        if (variable->getInit() != nullptr) Set(*variable, *variable->getInit(), scope);
      }
      return true;
    }
    const std::optional<VariableAssignment> assigned = VariableAssignmentOf(ast_, statement);
    if (!assigned || !IsOwn(*assigned->variable)) return false;
    Set(*assigned->variable, *assigned->value, scope);
    return true;
  }

  static void Set(const clang::VarDecl& variable, const clang::Expr& value, LoopNest* scope) {
    scope->definitions[&variable] = Definition{Shared(*scope), &value, nullptr, nullptr};
  }

  bool IsOwn(const clang::VarDecl& variable) const {
    const clang::QualType type = variable.getType();
    return own_.count(&variable) > 0 && variable.hasLocalStorage() && !IsReference(variable) &&
           !type.isVolatileQualified() && (type->isArithmeticType() || type->isPointerType());
  }

  Region& region_;
  const clang::ASTContext& ast_;
  const clang::SourceRange use_;
  const std::string what_;
  const std::set<const clang::VarDecl*> own_;
  int branches_ = 0, rounds_ = 0;
};

// In C++, one that C could have: not of the library, of an object, or an operator.
bool IsPlainFunction(const clang::CallExpr& call, const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return !IsOfSystem(function) && !function.isOverloadedOperator() && !function.isDependentContext() &&
         (method == nullptr || method->isStatic()) && call.getStmtClass() == clang::Stmt::CallExprClass;
}

}  // namespace

const clang::FunctionDecl* FunctionInSight(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* function = nullptr;
  if (callee == nullptr || !callee->hasBody(function)) return nullptr;
  if (function->isVariadic() || function->isWeak() || call.getNumArgs() != function->getNumParams())
    return nullptr;
  if (function->getASTContext().getLangOpts().CPlusPlus && !IsPlainFunction(call, *function)) return nullptr;
  return function;
}

Accepted<LoopNest> EnterFunction(const Region& region, const LoopNest& scope, const clang::CallExpr& call,
                                 const clang::FunctionDecl& function) {
  const auto refuse = [&](absl::string_view what, std::string remedy) {
    return Refusal{call.getSourceRange(),
                   absl::StrCat("a call of `", function.getNameAsString(), "`, which ", what),
                   std::move(remedy)};
  };
  const bool is_open = std::find(scope.calls.begin(), scope.calls.end(), &function) != scope.calls.end() ||
                       region.variables.function().getDefinition() == &function;
  if (is_open) return refuse("calls itself", "write it as a loop");
  const clang::SourceManager& manager = region.ast.getSourceManager();
  const clang::FunctionDecl& around = region.variables.function();
  if (!manager.isBeforeInTranslationUnit(function.getLocation(), around.getLocation())) {
    const std::string why = DiffersBehind(region.ast, around, function);
    if (!why.empty()) {
      return refuse(absl::StrCat("is defined behind the region, where ", why),
                    "move it before the function of the region");
    }
  }
  const MentionsHidden mentions(around, function);
  if (mentions.found != nullptr) {
    return refuse(absl::StrCat("means another variable by `", mentions.found->getNameAsString(),
                               "` than the function of the region"),
                  "rename one of them");
  }
  if (!manager.isInMainFile(manager.getExpansionLoc(function.getLocation())) &&
      UsesMacros(function.getBody()).found) {
    return refuse("is defined in a header and uses macros", "move it into the file of the region");
  }
  LoopNest inner = scope;
  inner.calls.push_back(&function);
  const auto arguments = std::make_shared<const LoopNest>(scope);
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::ParmVarDecl* parameter = function.getParamDecl(i);
    if (parameter->getType().isVolatileQualified())
      return refuse("has a volatile parameter", "use a plain parameter");
    inner.affine_locals.erase(parameter);
    inner.definitions[parameter] = Definition{arguments, call.getArg(i), nullptr, nullptr};
  }
  return inner;
}

Accepted<Definition> ReturnedValue(Region& region, const LoopNest& scope, const clang::CallExpr& call,
                                   const clang::FunctionDecl& function) {
  TUNE_ASSIGN_OR_REFUSE(LoopNest inner, EnterFunction(region, scope, call, function));
  std::set<const clang::VarDecl*> own = DeclaredIn(*function.getBody()).all;
  own.insert(function.param_begin(), function.param_end());
  Follower follower(region, call.getSourceRange(),
                    absl::StrCat("a call of `", function.getNameAsString(), "`"), std::move(own));
  return follower.Follow({function.getBody()}, std::move(inner));
}

Accepted<Definition> ValueOfBlock(Region& region, const LoopNest& scope, const clang::StmtExpr& block) {
  Statements statements = StatementsOf(*block.getSubStmt());
  const auto* last = statements.empty() ? nullptr : llvm::dyn_cast<clang::Expr>(statements.back());
  if (last == nullptr) {
    return Refusal{block.getSourceRange(), "a statement expression without a value",
                   "make it a statement of its own"};
  }
  statements.pop_back();
  Follower follower(region, block.getSourceRange(), "a statement expression",
                    DeclaredIn(*block.getSubStmt()).all);
  return follower.Follow(std::move(statements), scope, last);
}

}  // namespace tune
