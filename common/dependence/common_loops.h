// The loops that statements share.
#pragma once

#include <vector>

#include "common/isl/isl.h"

namespace tune {

// One dimension each, { S -> [t] } on `instances`, outermost first: the members of the bands that all of
// `instances` stand below in one branch of `schedule`. Throws isl::exception.
std::vector<isl::multi_union_pw_aff> CommonLoops(const isl::schedule& schedule,
                                                 const isl::union_set& instances);

// { S }: all that stand in the outermost `depth` of these loops, of which there must be as many.
isl::union_set InstancesInside(const isl::schedule& schedule, const isl::union_set& instances, int depth);

// One for each of `loops`, outermost first: is some pair of `pairs`, { S -> S }, in the same iteration of the
// loops around it and in different ones of its own? Throws isl::exception.
std::vector<bool> Carried(isl::union_map pairs, const std::vector<isl::multi_union_pw_aff>& loops);

// How many of the outermost `loops` have both instances of every pair in the same iteration. Throws
// isl::exception.
int LoopsAround(const isl::union_map& pairs, const std::vector<isl::multi_union_pw_aff>& loops);

}  // namespace tune
