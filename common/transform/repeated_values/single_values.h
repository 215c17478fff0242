// Values that repeat are computed once.
//
// In a tridiagonal solve of many lines with the same coefficients (Thomas' algorithm),
//
//   for (i ...)
//     for (j ...) {
//       p[i][j] = -c / (a * p[i][j - 1] + b);
//       q[i][j] = (r[i][j] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
//     }
//
// p[i][j] is the same for all i: a recurrence of divisions, which each line waits for. Invariant code motion
// (Aho, Lam, Sethi, Ullman, Compilers, section 9.5) of single instances, which are told by dataflow: once
//
//   for (j ...) p_values[j] = -c / (a * p_values[j - 1] + b);
//
// all that reads p[i][j] reads p_values[j], and p[i][j] = p_values[j] is left of those instances whose
// elements outlive the region.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/dependence/dependence.h"

namespace tune {

// Instances that compute the same value, of those of which it is worth computing it apart.
inline constexpr int64_t kLeastRepeats = 16;

// A scop that computes the same, bit by bit: values of recurrences (repeated_array.h) are computed at the
// first instance, in the scop's order, that wrote each of them, where at least `least` do at the `values` of
// the parameters. nullopt: there are none. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> ComputeOnce(IslContext& context, const ParsedScop& scop,
                                                    const Dependences& dependences,
                                                    const std::map<std::string, int64_t>& values,
                                                    int64_t least = kLeastRepeats);

}  // namespace tune
