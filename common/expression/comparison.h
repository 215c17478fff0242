// Values compared as in Python.
#pragma once

#include "common/expression/expression_node.h"
#include "common/expression/value.h"

namespace tune {

// Integers and floats are compared exactly; values of kinds that do not compare differ.
bool AreEqual(const Value& a, const Value& b);

// INVALID_ARGUMENT where Python has no order of them, or what `in` looks through is neither list nor string.
absl::StatusOr<bool> Compare(Comparison comparison, const Value& a, const Value& b);

}  // namespace tune
