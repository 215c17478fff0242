// Numbers. Every function throws isl::exception.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// 2^value.
inline isl::val PowerOfTwo(isl::val value) { return isl::manage(isl_val_2exp(value.release())); }

// The nearest double.
inline double ToDouble(const isl::val& value) { return isl_val_get_d(value.get()); }

}  // namespace tune
