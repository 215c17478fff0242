// The scop whose running extrema are split.
#pragma once

#include <vector>

#include "common/transform/split_extrema/part_widths.h"
#include "common/transform/split_extrema/running_extremum.h"

namespace tune {

// `scop` with each of the extrema found in parts, which have no order, and then among the parts. Iterations
// of the nest, numbered from 1 in their order, are dealt out to the parts like cards; each part has its own
// m, k and the number p of the iteration that m is from, 0 for none:
//
//   for all parts b:         p[b] = 0, m[b] = m, k[b] = k
//   in each iteration i, of part b:
//                            p[b] = condition on m[b] ? i : p[b]
//                            m[b] = p[b] == i ? v : m[b]
//                            k[b] = p[b] == i ? w : k[b]
//   for all parts b of one c: where p[b] != 0 and (p[c] == 0 or m[b] > m[c] or m[b] == m[c] and p[b] < p[c])
//                            p[c] = p[b], m[c] = m[b], k[c] = k[b]
//   for the last one:        m = m[0], k = k[0]
//
// with < in place of >, or p[b] > p[c] where the last of equal elements is kept.
//
// This is exact. Let m0 be m before the nest, and x the elements v of iterations where p, the conditions
// beside the comparison, hold. In sequence, m only ever becomes an x for which x > m was true, so it is m0 or
// greater than m0 and no NaN; where m0 is NaN, nothing is true. So an x that is not greater than m0 is never
// taken, a NaN neither, and of the others, T, on which > is a strict weak order (+0.0 and -0.0 are equal),
// the sequence takes the first that none of T is greater than: when it is reached, what was taken before is
// less, and nothing that follows is greater. With >= it is the last one, as each later equal element is
// taken, too. A part sees the same m0, so it takes an x exactly if that is in T, p != 0 says that there was
// one, and it ends with its own first (last) greatest element. The first (last) greatest of all is that of
// its part, and the order on (m, p) by which parts are compared is total, as no two of them have one
// iteration: any grouping finds it. Where T is empty all parts keep m0 and k. What is kept is a value of m's
// own type, equal to the one compared: HasValuesOf.
//
// All else keeps its order. Numbers of parts are for `values` of the parameters. Nothing where no nest is
// worth it. Throws isl::exception.
std::optional<v1::Scop> SplitNests(const ParsedScop& scop, const std::vector<RunningExtremum>& extrema,
                                   const isl::set& values, const PartLimits& limits);

}  // namespace tune
