// What a user is told of a statement that has no place in a scop.
#pragma once

#include "client/extract/diagnostic.h"

namespace clang {
class Stmt;
}

namespace tune {

// `statement` is none that a scop can hold.
Refusal RefuseStatement(const clang::Stmt& statement);

}  // namespace tune
