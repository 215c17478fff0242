// Calls of functions whose bodies are in sight, as what the bodies say.
#pragma once

#include <vector>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace clang {
class CallExpr;
class FunctionDecl;
class Stmt;
class StmtExpr;
}  // namespace clang

namespace tune {

// The function with its body where a call means this body and no other; else null: other files define it, or
// may put another one in its place.
const clang::FunctionDecl* FunctionInSight(const clang::CallExpr& call);

// The scope of the function's body, called where `scope` is: its parameters stand for the arguments. Refused
// are calls of a function inside of its own body, functions of headers that use macros, and those behind the
// region that may mean something else there.
Accepted<LoopNest> EnterFunction(const Region& region, const LoopNest& scope, const clang::CallExpr& call,
                                 const clang::FunctionDecl& function);

// What a call's value stands for: of a body of declarations, assignments to the function's own variables,
// `if`, `return`, and `for` loops of a known number of iterations (unrolled_loop.h).
Accepted<Definition> ReturnedValue(Region& region, const LoopNest& scope, const clang::CallExpr& call,
                                   const clang::FunctionDecl& function);

// The same of ({ ...; value; }).
Accepted<Definition> ValueOfBlock(Region& region, const LoopNest& scope, const clang::StmtExpr& block);

}  // namespace tune
