#include "client/extract/cpp/cpp_lowering.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

#include "client/extract/cpp/library_function.h"
#include "client/extract/source/defined_functions.h"

namespace tune {
namespace {

constexpr char kReference[] = "tune::reference", kConstReference[] = "tune::const_reference";

class BodyLowerer {
 public:
  explicit BodyLowerer(clang::ASTContext& ast) : ast_(ast) {}

  void Function(clang::FunctionDecl& function) {
    for (clang::ParmVarDecl* parameter : function.parameters()) Variable(*parameter);
    clang::Stmt* body = function.getBody();
    Statement(&body);
  }

  // The name of another object becomes a variable of that object's type, which is no constant.
  void Variable(clang::VarDecl& variable) {
    if (!variable.getType()->isReferenceType()) return;
    clang::QualType type = variable.getType().getNonReferenceType();
    const bool constant = ast_.getBaseElementType(type).isConstQualified();
    if (!type->isArrayType()) type.removeLocalConst();
    variable.setType(type);
    variable.addAttr(
        clang::AnnotateAttr::CreateImplicit(ast_, constant ? kConstReference : kReference, nullptr, 0));
  }

 private:
  void Statement(clang::Stmt** slot) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(*slot)) {
      for (clang::Decl* each : declaration->decls()) {
        if (auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) Variable(*variable);
      }
    }
    for (clang::Stmt*& child : (*slot)->children()) {
      if (child != nullptr) Statement(&child);
    }
    if (auto* expression = llvm::dyn_cast<clang::Expr>(*slot)) *slot = Expression(expression);
  }

  clang::Expr* Expression(clang::Expr* expression) {
    if (auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(expression)) return whole->getSubExpr();
    if (auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
      return temporary->getType()->isArithmeticType() ? temporary->getSubExpr() : expression;
    if (auto* argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression)) {
      clang::Stmt* given = argument->getExpr();
      Statement(&given);
      return llvm::cast<clang::Expr>(given);
    }
    if (auto* argument = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
      return argument->getReplacement();
    if (auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) return OfCast(cast);
    if (auto* braces = llvm::dyn_cast<clang::InitListExpr>(expression)) return Number(braces);
    if (llvm::isa<clang::CXXScalarValueInitExpr>(expression) ||
        llvm::isa<clang::ImplicitValueInitExpr>(expression))
      return Zero(expression);
    if (auto* call = llvm::dyn_cast<clang::CallExpr>(expression))
      return call->isGLValue() ? call : Call(call);
    return expression;
  }

  clang::Expr* Call(clang::CallExpr* call) {
    clang::Expr* lowered = LowerLibraryCall(ast_, *call);
    return lowered == nullptr ? call : lowered;
  }

  // What std::max returns is the name of an object: its value alone is lowered, a reference to it stays one.
  clang::Expr* OfCast(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_NoOp && cast->isGLValue()) return cast->getSubExpr();
    auto* call = llvm::dyn_cast<clang::CallExpr>(cast->getSubExpr()->IgnoreParens());
    if (cast->getCastKind() != clang::CK_LValueToRValue || call == nullptr) return cast;
    clang::Expr* lowered = Call(call);
    return lowered == call ? static_cast<clang::Expr*>(cast) : lowered;
  }

  // {x} of a number.
  clang::Expr* Number(clang::InitListExpr* braces) {
    if (!braces->getType()->isArithmeticType()) return braces;
    if (braces->getNumInits() == 0) return Zero(braces);
    return braces->getNumInits() == 1 ? braces->getInit(0) : braces;
  }

  // Integers are evaluated where they stand.
  clang::Expr* Zero(clang::Expr* expression) {
    const clang::QualType type = expression->getType();
    if (!type->isRealFloatingType()) return expression;
    const llvm::APFloat zero = llvm::APFloat::getZero(ast_.getFloatTypeSemantics(type));
    return clang::FloatingLiteral::Create(ast_, zero, /*isexact=*/true, type.getUnqualifiedType(),
                                          expression->getBeginLoc());
  }

  clang::ASTContext& ast_;
};

bool HasMark(const clang::VarDecl& variable, llvm::StringRef mark) {
  const auto all = variable.specific_attrs<clang::AnnotateAttr>();
  return std::any_of(all.begin(), all.end(),
                     [&](const clang::AnnotateAttr* each) { return each->getAnnotation() == mark; });
}

}  // namespace

void LowerCpp(clang::ASTContext& ast) {
  const UserDeclarations declarations = DeclarationsOf(ast);
  BodyLowerer lowerer(ast);
  for (clang::Decl* variable : declarations.variables)
    lowerer.Variable(*llvm::cast<clang::VarDecl>(variable));
  for (clang::FunctionDecl* function : declarations.functions) lowerer.Function(*function);
}

bool IsReference(const clang::VarDecl& variable) {
  return HasMark(variable, kReference) || HasMark(variable, kConstReference);
}

bool MayChangeReferred(const clang::VarDecl& variable) { return HasMark(variable, kReference); }

const clang::Expr* ReferredBy(const clang::VarDecl& variable) {
  const clang::Expr* initial = IsReference(variable) ? variable.getInit() : nullptr;
  return initial != nullptr && initial->isGLValue() ? initial : nullptr;
}

}  // namespace tune
