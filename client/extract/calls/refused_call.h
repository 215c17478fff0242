// What a user is told of a call that a region may not make.
#pragma once

#include "client/extract/source/diagnostic.h"

namespace clang {
class CallExpr;
}

namespace tune {

// `call` is of no function in sight, nor of one that is known by its name.
Refusal RefuseCall(const clang::CallExpr& call);

// The same of a call that ends the program, where data decide whether it is reached, or all calls of the
// region reach it.
Refusal RefuseEnd(const clang::CallExpr& call);

}  // namespace tune
