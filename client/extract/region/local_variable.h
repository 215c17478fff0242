// Variables that a region declares.
#pragma once

#include "client/extract/arrays/array_table.h"
#include "client/extract/integers/derived_index.h"
#include "client/extract/statements/statement_sequence.h"

namespace tune {

// What the declaration of a variable is: a statement that sets or kills it, or a name that is known in `nest`
// from then on.
Schedule DeclareVariable(Region& region, ArrayTable& arrays, DerivedIndices& indices,
                         StatementSequence& statements, const clang::VarDecl& variable, LoopNest& nest);

}  // namespace tune
