// Functions of integers that loop bounds and subscripts are made of, known by their names.
#pragma once

namespace clang {
class ASTContext;
class CallExpr;
}  // namespace clang

namespace tune {

enum class IntegerFunction { kNone, kMin, kMax, kFloorDivision, kCeilingDivision, kAbsolute };

// `min`, `max`, `imin`, `imax`, `floord` and `ceild` of two numbers of one signed type, at least int, with a
// result of that type, where they are declared, or of ints where they are not, and have no body in sight:
// they mean what polyhedral tools mean by them. And `abs`, `labs`, `llabs` of C.
IntegerFunction IntegerFunctionOf(const clang::ASTContext& ast, const clang::CallExpr& call);

}  // namespace tune
