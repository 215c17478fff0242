// Numbers from other values: int, float, round, ceil, floor, as in Python.
#pragma once

#include "common/expression/value.h"

namespace tune {

// Each: INVALID_ARGUMENT where Python refuses the value, and where the result does not fit into 64 bits.
absl::StatusOr<Value> ToInteger(const Value& value);
absl::StatusOr<Value> ToFloat(const Value& value);
absl::StatusOr<Value> RoundUp(const Value& value);
absl::StatusOr<Value> RoundDown(const Value& value);
// To the nearest whole number, to the even one of two.
absl::StatusOr<Value> RoundToWhole(const Value& value);
// To so many decimal places; of floats not fewer than none.
absl::StatusOr<Value> RoundToPlaces(const Value& value, const Value& places);

}  // namespace tune
