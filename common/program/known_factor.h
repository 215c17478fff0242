// What divides an index, whatever its names stand for.
#pragma once

#include "common/program/index_expression.h"

namespace tune {

// The largest number that is known to divide every value of the expression, where names have any value; 0:
// the value is always 0.
int64_t KnownFactor(const IndexExpression& expression);

}  // namespace tune
