#include "client/extract/pointers/pointer_setting.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "client/extract/region/region_variables.h"

namespace tune {
namespace {

const clang::VarDecl* NamedPointer(const clang::Expr& expression) {
  const clang::VarDecl* variable = NamedVariable(&expression);
  return variable != nullptr && variable->getType()->isPointerType() ? variable : nullptr;
}

}  // namespace

bool IsPointerSwap(const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  return function != nullptr && function->isInStdNamespace() && function->getIdentifier() != nullptr &&
         function->getName() == "swap" && call.getNumArgs() == 2 &&
         NamedPointer(*call.getArg(0)) != nullptr && NamedPointer(*call.getArg(1)) != nullptr;
}

std::vector<PointerSetting> PointerSettings(const clang::Stmt& statement) {
  const auto* written = llvm::dyn_cast<clang::Expr>(&statement);
  if (written == nullptr) return {};
  const clang::Expr* expression = written->IgnoreParens();
  if (const auto* whole = llvm::dyn_cast<clang::FullExpr>(expression))
    expression = whole->getSubExpr()->IgnoreParens();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    if (!IsPointerSwap(*call)) return {};
    const clang::Expr *first = call->getArg(0), *second = call->getArg(1);
    return {{NamedPointer(*first), second}, {NamedPointer(*second), first}};
  }
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (assignment == nullptr || assignment->getOpcode() != clang::BO_Assign) return {};
  const clang::VarDecl* pointer = NamedPointer(*assignment->getLHS());
  if (pointer == nullptr) return {};
  return {{pointer, assignment->getRHS()}};
}

}  // namespace tune
