// What a variable is when its region begins, as the function around says it.
#pragma once

#include <llvm/ADT/APSInt.h>

#include <optional>

#include "client/extract/region/region_finder.h"
#include "client/extract/tree/values_behind.h"

namespace clang {
class ASTContext;
class VarDecl;
}  // namespace clang

namespace tune {

// The constant that a local integer is declared with, where each way to the region leads past its declaration
// and nothing changes it in between. `variable` is reached by its name alone, and the region is not executed
// again with a value that it left there itself. Another build may have another constant: who relies on this
// has to look at the value.
std::optional<llvm::APSInt> ValueAtEntry(const clang::ASTContext& ast, const FoundRegion& region,
                                         const ValuesBehind& behind, const clang::VarDecl& variable);

}  // namespace tune
