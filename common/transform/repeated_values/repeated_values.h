// Recurrences whose values repeat are computed once (single_values.h).
//
// Asks `repeated_values`, on by default, where there are some.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& RepeatedValues();

}  // namespace tune
