// Sums are split into parts that other blocks add up.
//
// Asks `split_sums`, on by default, where that is faster by an estimate (part_count.h): where the sums of a
// product of matrices, or of a triangle of it, are so few for the device that most multiprocessors would be
// idle at its end, ranges of their terms are added up by more blocks; what an iteration adds, of several
// products, becomes a sum of each, which has room for the largest register tiles; and sums that begin at
// different times beside what is done before them are added up by themselves. A launch of its own adds the
// parts. Parts stand before all else where they can, so that those of several sums share a launch
// (joined_launches). Not with `exact`. The order is then given: nothing else is asked of the schedule.
//
// Measured on an H200 (PolyBench, EXTRALARGE, float): syrk 0.50 -> 0.48 ms, syr2k 1.28 -> 0.85, symm 1.05 ->
// 0.72; a product of 4000 x 4000 x 4000 with a factor, in one part, 3.45 -> 2.91.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& SplitSums();

}  // namespace tune
