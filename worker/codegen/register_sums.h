// Elements that a loop updates again and again, and that can be in a register meanwhile.
#pragma once

#include <vector>

#include "worker/codegen/block_ast.h"

namespace tune {

// The statements of an innermost loop, at most one an array, each of which updates (T op= value) the same
// element of an array in all iterations, when nothing else in the loop touches that array. The compiler
// cannot know the latter of arrays that may overlap, least of all in a function of a parallel loop, and would
// wait for memory in each iteration. Empty when the body is more than statements. Throws isl::exception.
std::vector<const StatementInstance*> FindRegisterSums(const isl::ast_node_for& loop, const BlockAst& ast);

}  // namespace tune
