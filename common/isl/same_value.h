// Who agrees in the value of a function.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// { S -> S' }: both have the same value of the function, { S -> [v...] }; of a relation: some value in
// common. Throws isl::exception.
inline isl::union_map SameValue(const isl::union_map& function) {
  return function.apply_range(function.reverse());
}

}  // namespace tune
