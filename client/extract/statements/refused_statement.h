// What a user is told of a statement that has no place in a scop.
#pragma once

#include "client/extract/source/diagnostic.h"

namespace clang {
class Stmt;
}

namespace tune {

// `statement` is none that a scop can hold. `is_called`: it stands in a function that the region calls.
Refusal RefuseStatement(const clang::Stmt& statement, bool is_called = false);

// Of a region that begins there and executes no statement. `end`: where the last `assert` and the like stands
// that the region is not for, if any.
Refusal RefuseNothing(clang::SourceLocation begin, clang::SourceRange end);

}  // namespace tune
