// Instances of statements, as data.
#pragma once

#include "worker/lower/block_ast.h"
#include "worker/lower/expression_lowering.h"

namespace tune {

// Precondition: it is one of a statement of the scop, no copy. Throws isl::exception.
Instance LowerInstance(const StatementInstance& instance, const ExpressionLowering& expressions);

// Of a statement or a copy; no iterators unless they were asked for.
Origin LowerOrigin(const StatementInstance& instance, const ExpressionLowering& expressions);

}  // namespace tune
