#include "client/extract/forms/hinted_value.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Builtins.h>

#include <set>

#include "client/extract/calls/called_function.h"

namespace tune {
namespace {

// A conversion that was not written and changes no truth: to an integer type that is as wide, and to a truth
// value.
bool KeepsTruth(const clang::ASTContext& ast, const clang::ImplicitCastExpr& cast) {
  const clang::QualType to = cast.getType(), from = cast.getSubExpr()->getType();
  switch (cast.getCastKind()) {
    case clang::CK_IntegralToBoolean:
    case clang::CK_NoOp:
      return true;
    case clang::CK_IntegralCast:
      return to->isBooleanType() || from->isBooleanType() || ast.getTypeSize(to) >= ast.getTypeSize(from);
    default:
      return false;
  }
}

class HintReader {
 public:
  HintReader(const clang::ASTContext& ast, TreeChanges* changes)
      : ast_(const_cast<clang::ASTContext&>(ast)), changes_(changes) {}

  // `is_truth`: of the value it counts alone whether it is zero.
  void Statement(clang::Stmt** slot, bool is_truth) {
    if (is_truth) Text(slot);
    while (auto* call = llvm::dyn_cast<clang::CallExpr>(*slot)) {  // a hint about a hint
      Call(slot, *call, is_truth);
      if (*slot == call) break;
    }
    if (auto* cast = llvm::dyn_cast<clang::CastExpr>(*slot)) Cast(slot, *cast);
    for (clang::Stmt*& child : (*slot)->children()) {
      if (child != nullptr) Statement(&child, IsTruth(**slot, child, is_truth));
    }
  }

 private:
  bool IsTruth(const clang::Stmt& whole, const clang::Stmt* part, bool is_truth) const {
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&whole)) return part == choice->getCond();
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole)) return part == loop->getCond();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&whole)) return part == loop->getCond();
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&whole)) return part == loop->getCond();
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&whole))
      return part == choice->getCond();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&whole))
      return unary->getOpcode() == clang::UO_LNot || (unary->getOpcode() == clang::UO_Extension && is_truth);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&whole)) return binary->isLogicalOp();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&whole))
      return is_truth && KeepsTruth(ast_, *cast);
    return llvm::isa<clang::ParenExpr>(whole) && is_truth;
  }

  // assert(i < n && "what is wrong"): text is no null pointer.
  void Text(clang::Stmt** slot) {
    auto* written = llvm::dyn_cast<clang::Expr>(*slot);
    if (written == nullptr || !llvm::isa<clang::StringLiteral>(written->IgnoreParenImpCasts())) return;
    const llvm::APInt one(static_cast<unsigned>(ast_.getTypeSize(ast_.IntTy)), 1);
    changes_->Change(slot, clang::IntegerLiteral::Create(ast_, one, ast_.IntTy, written->getBeginLoc()));
  }

  void Call(clang::Stmt** slot, clang::CallExpr& call, bool is_truth) {
    if (const clang::FunctionDecl* function = FunctionInSight(call);
        function != nullptr && entered_.insert(function).second) {
      clang::Stmt* body = function->getBody();
      Statement(&body, false);
    }
    const unsigned builtin = call.getBuiltinCallee();
    if (builtin != clang::Builtin::BI__builtin_expect &&
        builtin != clang::Builtin::BI__builtin_expect_with_probability)
      return;
    for (const clang::Expr* argument : call.arguments())
      if (argument->HasSideEffects(ast_)) return;
    if (clang::Expr* value = FirstOf(call, is_truth)) changes_->Change(slot, value);
  }

  // The first argument, a long, or one of the same truth; null for a number that is no integer.
  clang::Expr* FirstOf(clang::CallExpr& call, bool is_truth) {
    clang::Expr* value = call.getArg(0)->IgnoreParens();
    auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
    if (cast == nullptr || cast->getCastKind() == clang::CK_LValueToRValue) return value;
    if (!KeepsTruth(ast_, *cast)) return nullptr;
    if (is_truth) return cast->getSubExpr();
    return clang::CStyleCastExpr::Create(ast_, cast->getType(), clang::VK_PRValue, cast->getCastKind(),
                                         cast->getSubExpr(), nullptr, clang::FPOptionsOverride(),
                                         ast_.getTrivialTypeSourceInfo(cast->getType()), cast->getBeginLoc(),
                                         cast->getEndLoc());
  }

  // A pointer of any type that is taken for one to elements again.
  void Cast(clang::Stmt** slot, clang::CastExpr& cast) {
    if (!cast.getType()->isPointerType()) return;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(cast.getSubExpr()->IgnoreParenImpCasts());
    if (call == nullptr || call->getBuiltinCallee() != clang::Builtin::BI__builtin_assume_aligned) return;
    for (const clang::Expr* argument : call->arguments())
      if (argument->HasSideEffects(ast_)) return;
    clang::Expr* pointer = const_cast<clang::Expr*>(call->getArg(0))->IgnoreParens();
    for (auto* outer = llvm::dyn_cast<clang::ImplicitCastExpr>(pointer);
         outer != nullptr &&
         (outer->getCastKind() == clang::CK_BitCast || outer->getCastKind() == clang::CK_NoOp);
         outer = llvm::dyn_cast<clang::ImplicitCastExpr>(pointer))
      pointer = outer->getSubExpr()->IgnoreParens();
    if (!pointer->getType()->isPointerType() ||
        !ast_.hasSameUnqualifiedType(pointer->getType()->getPointeeType(), cast.getType()->getPointeeType()))
      return;
    changes_->Change(slot, pointer);
  }

  clang::ASTContext& ast_;
  TreeChanges* const changes_;
  std::set<const clang::FunctionDecl*> entered_;
};

}  // namespace

HintedValues::HintedValues(const clang::ASTContext& ast, const Statements& statements)
    : statements_(statements) {
  HintReader reader(ast, &changes_);
  for (const clang::Stmt*& statement : statements_)
    reader.Statement(const_cast<clang::Stmt**>(&statement), /*is_truth=*/false);
}

}  // namespace tune
