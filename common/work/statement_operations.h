// The floating-point operations that a statement cannot do without.
#pragma once

#include "common/scop/scop.h"

namespace tune {

struct OperationCounts {
  double in_float = 0, in_double = 0;
};

// Of all instances of `statement` where the parameters are in `values` (ParameterValues). Counted are + - * /
// and comparisons of floating-point values, calls, and the operator of an update; signs and conversions are
// not. What could be done less often is counted no more often: a subexpression of read-only arrays once for
// all instances in which these have the same elements, equal subexpressions of an instance once, of two
// branches the shorter. Throws isl::exception.
OperationCounts CountOperations(const ParsedScop& scop, const ParsedStatement& statement,
                                const isl::set& values);

// Of one instance, each as often as it is written: of the operand that && and || always have, and of the
// shorter branch of a ?:.
int OperationsAsWritten(const ParsedScop& scop, const ParsedStatement& statement);

}  // namespace tune
