// Sums and products whose terms are in the order in which parameters are bound.
#pragma once

#include <functional>
#include <optional>

#include "absl/types/span.h"
#include "common/parameters/parameter_space_description.h"

namespace tune {

// Sorts the terms of chains `a * b * c` and `a + b + c` of whole numbers by `level` (of a parameter: its
// place in the order), so that what the first parameters contribute is one number. Only where no order of the
// terms leaves 64 bits: the value stays the same.
void CommuteChains(absl::Span<const TuningParameter> parameters, absl::Span<const int> level,
                   ExpressionNode* node);

}  // namespace tune
