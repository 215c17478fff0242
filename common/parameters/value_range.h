// Which whole numbers an expression may be worth while some of its parameters are not bound.
#pragma once

#include <cstdint>
#include <optional>

#include "common/expression/expression_node.h"

namespace tune {

// All numbers from least to most, these among them.
struct ValueRange {
  int64_t least;
  int64_t most;
};

// Of the operator applied to any numbers of the ranges. Nothing where that may be an error or leave 64 bits,
// and for operators that have no short answer.
std::optional<ValueRange> RangeOf(BinaryOperator op, const ValueRange& a, const ValueRange& b);

// Whether the comparison holds for all numbers of the ranges (true) or for none (false); else nothing.
std::optional<bool> CompareRanges(Comparison comparison, const ValueRange& a, const ValueRange& b);

}  // namespace tune
