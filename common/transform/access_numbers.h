// The numbers by which expressions name the accesses of their statement.
#pragma once

#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// The accesses that the expression reads, in order, each once.
std::vector<int> AccessesOf(const v1::Expression& expression);

// The expression with other accesses: number `a` becomes the place of `a` in `accesses`. Precondition: all
// its accesses are there.
v1::Expression WithAccesses(v1::Expression expression, const std::vector<int>& accesses);

}  // namespace tune
