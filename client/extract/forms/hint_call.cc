#include "client/extract/forms/hint_call.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <set>
#include <string>

namespace tune {

bool IsHint(const clang::ASTContext& ast, const clang::CallExpr& call) {
  static const auto* const kHints = new std::set<std::string>{
      "__pencil_assume", "__pencil_kill", "__builtin_assume", "__builtin_prefetch", "__builtin_unreachable"};
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr || function->hasBody() || kHints->count(function->getNameAsString()) == 0)
    return false;
  return std::none_of(call.arg_begin(), call.arg_end(),
                      [&](const clang::Expr* argument) { return argument->HasSideEffects(ast); });
}

bool EndsProgram(const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  return function != nullptr && function->isNoReturn() && !llvm::isa<clang::CXXMethodDecl>(function);
}

}  // namespace tune
