// Calls that tell a compiler something and compute nothing.
#pragma once

namespace clang {
class ASTContext;
class CallExpr;
}  // namespace clang

namespace tune {

// `__pencil_assume` and `__pencil_kill` of PENCIL where they have no body in sight, `__builtin_assume`,
// `__builtin_prefetch`, with arguments that have no effects, and `__builtin_unreachable`: a region is the
// same without them.
bool IsHint(const clang::ASTContext& ast, const clang::CallExpr& call);

// A call of a function that does not return, `abort`, `exit`, or what `assert` calls: a region is the same
// without it where it is not reached.
bool EndsProgram(const clang::CallExpr& call);

}  // namespace tune
