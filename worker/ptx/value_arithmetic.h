// Integer arithmetic of instructions, for values that are known before a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "worker/ptx/value_graph.h"

namespace tune {

// As the instruction computes it in 64 bits. No value: it overflows, or divides by 0.
std::optional<int64_t> Compute(ValueOperation operation, int64_t a, int64_t b, int64_t c);

// The same of linear forms, where the result is one: products with constants, sums. `of`: one to three.
std::optional<LinearForm> ComputeLinear(ValueOperation operation, const std::vector<LinearForm>& of);

// Bits of its result's type, where that is an integer or a predicate (1); else 0.
int IntegerBits(const PtxInstruction& instruction);
// Of one with two operands; of one that compares. No value: it does something else.
std::optional<ValueOperation> BinaryOperation(const PtxInstruction& instruction);
std::optional<ValueOperation> ComparisonOf(const PtxInstruction& instruction);
bool IsComparison(ValueOperation operation);

}  // namespace tune
