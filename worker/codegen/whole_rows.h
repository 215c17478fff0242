// Rows of arrays that are whole multiples of what a thread loads or stores at once: what programs for all
// sizes take to be true where they are made for such sizes, and the host's code finds out.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// By array that has extents: a divisor of its last one, the elements of 16 bytes, but no more than 4, so that
// small elements ask no more of sizes than others, and no more than a number has: rows of 3 are never whole,
// and those of other arrays can be.
std::map<std::string, int64_t> RowDivisors(const v1::Scop& scop);

// The scop where parameters that are last extents are multiples of these arrays' divisors.
v1::Scop WithWholeRows(const v1::Scop& scop);

}  // namespace tune
