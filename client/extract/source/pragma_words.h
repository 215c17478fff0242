// What pragmas are about, by their words.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace tune {

// `pragma`: the directive, or the text of the operator `_Pragma` in quotes.

// Of OpenMP or OpenACC.
bool IsParallelPragma(llvm::StringRef pragma);

// Whether it is about the statement behind it, which compilers require to have the form it needs: those of
// OpenMP and OpenACC but the ones that stand alone, and hints for loops.
bool IsPragmaOfStatement(llvm::StringRef pragma);

}  // namespace tune
