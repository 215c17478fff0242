// Sums whose terms are added the other way round, so that each can be added as soon as it is known.
//
// Of a solve by substitution from the last row up, x[i] = (y[i] - sum of A[i][j] x[j], j > i) / A[i][i],
// people write the sum from j = i + 1 on. x[i + 1] is the value that is computed last, so that no term can be
// added before all of them are known. From the last j down each x[j], once known, can be taken from all rows
// above (the right-looking order of LAPACK; Anderson and others, LAPACK Users' Guide, 3rd edition,
// section 3.2).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "common/dependence/dependence.h"

namespace tune {

struct TurnedScop {
  v1::Scop scop;
  std::set<std::string> statements;  // whose sums are turned
};

// The scop with those loops turned that alone separate the terms of a sum, where terms need what earlier
// iterations of the loop around them compute, all of them the other way round, and where everything else
// stays in order. Sums differ in rounding. nullopt: there is no such loop. Throws isl::exception: call inside
// IslContext::Run.
std::optional<TurnedScop> TurnSums(const ParsedScop& scop, const Dependences& dependences);

}  // namespace tune
