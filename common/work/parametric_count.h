// How many points a set has, as a function of its parameters.
#pragma once

#include <optional>
#include <vector>

#include "common/isl/quasi_polynomial.h"

namespace tune {

// The number of values of the dimensions from `kept` on, for each value of those before: the sum of the
// polynomials of those pieces that hold there. Exact, dimension by dimension, the last one first, each
// between its least and its greatest value (Faulhaber's sums). Nothing where that is no such function: where
// a bound is a quotient of dimensions that are still to be counted, or the values between two bounds are no
// arithmetic progression. Throws isl::exception: call inside IslContext::Run.
std::optional<std::vector<PolynomialPiece>> CountDimensions(const isl::set& set, int kept);

// The number of integer points; the pieces are over the parameters. The same conditions.
std::optional<std::vector<PolynomialPiece>> CountParametrically(const isl::set& set);

}  // namespace tune
