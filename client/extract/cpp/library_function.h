// Calls of C++'s library that C has other words for.
#pragma once

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
}  // namespace clang

namespace tune {

// What computes the same without C++: a call of a function of the compiler's, a choice, or a literal. Null
// for other calls. The call's arguments are lowered already.
clang::Expr* LowerLibraryCall(clang::ASTContext& ast, clang::CallExpr& call);

// Whether the function belongs to the system, not to the user.
bool IsOfSystem(const clang::FunctionDecl& function);

}  // namespace tune
