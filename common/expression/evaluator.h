// Trees, with names resolved, to values.
#pragma once

#include "absl/types/span.h"
#include "common/expression/evaluation_limits.h"
#include "common/expression/expression_node.h"

namespace tune {

// `slots`: values of the names, by their slots. `node` lies in no comprehension that is outside of it.
// INVALID_ARGUMENT with the column where Python refuses, where integers leave 64 bits, and at the limits.
absl::StatusOr<Value> EvaluateNode(const ExpressionNode& node, absl::Span<const Value> slots,
                                   const EvaluationLimits& limits);

// Much faster, of whole numbers alone: what the value is where it is whole, True as 1. False where it may be
// anything else or an error, which EvaluateNode then says.
bool EvaluateWhole(const ExpressionNode& node, absl::Span<const Value> slots, int64_t* result);

}  // namespace tune
