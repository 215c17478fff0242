// Takes needless skews out of bands.
#pragma once

#include "common/schedule/scheduler.h"

namespace tune {

// A coincident member of a permutable band has distance 0 on every dependence of the band, so its multiples
// may be added to the other members without changing any distance. Adds or subtracts coincident members where
// the sum takes fewer iterators of the statements, of those in the most loops before others: of (i, i - k),
// with i coincident, it makes (i, k). Such skews come from the scheduler's bringing dependences closer; they
// spoil tiles and subscripts. Flags stay.
absl::StatusOr<isl::schedule> UnskewMembers(IslContext& context, const isl::schedule& schedule);

}  // namespace tune
