// The order of the members inside permutable bands.
#pragma once

#include <vector>

#include "common/schedule/scheduler.h"

namespace tune {

// Any order of a permutable band's members is legal. Moves the member whose loop touches memory most evenly
// to the innermost place of each permutable band without bands below it: consecutive elements or the same
// element in consecutive iterations, or else elements of one row that are near each other, no store to the
// same element, coincident. The other members keep their order. Flags move with their members.
absl::StatusOr<isl::schedule> OrderBandMembers(IslContext& context, const isl::schedule& schedule,
                                               const ParsedScop& scop);

// For each member of the band whether all iterations of its loop write the same elements, as those of a sum
// do, in the statements that have the most iterators. Throws isl::exception.
std::vector<bool> MembersOfSums(const isl::schedule_node_band& band, const ParsedScop& scop);

// How many of the statements' accesses go to another row, or far along one, from one iteration of the
// innermost loop around them to the next.
absl::StatusOr<int> CountStridedAccesses(IslContext& context, const isl::schedule& schedule,
                                         const ParsedScop& scop);

}  // namespace tune
