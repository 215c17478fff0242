// The loops that one thread runs in place of its kernel's root band, before they are in the tree.
#pragma once

#include <vector>

#include "common/mapping/block_of_kernel.h"

namespace tune {

struct ThreadLoop {
  int member = 0;           // of the root band
  isl::union_pw_aff value;  // { S -> [v] }
  int64_t size = 0;         // of a tile loop: iterations of a tile; of a loop over points: how many there are
  int64_t unroll = 1;       // by this factor; 1: not
};

// Each outermost first, and all of `tiles` around all of `serial` around all of `points`.
struct ThreadNest {
  std::vector<ThreadLoop> tiles;   // what is filled for a tile is filled inside of these
  std::vector<ThreadLoop> serial;  // over members that are not mapped
  std::vector<ThreadLoop> points;  // of the thread
};

// A loop for each member of the root band that is not mapped; those of sums inside of the others, so that a
// thread adds to one element after the other.
ThreadNest SerialLoops(const BlockOfKernel& block);

// The loop over some of a thread's points, { S -> [w] } in 0 ... count - 1, around `node` with its mark.
// `outside_another`: `node` is such a loop.
isl::schedule_node InsertPointLoop(isl::schedule_node node, const isl::multi_union_pw_aff& points,
                                   int64_t count, bool outside_another);

// Every function takes a node and returns the one at its place. They throw isl::exception.

// Serial loops and points, which are unrolled, around `node`.
isl::schedule_node InsertLoops(isl::schedule_node node, const BlockOfKernel& block, const ThreadNest& nest);

// The same with the points around the serial loops; nothing is unrolled.
isl::schedule_node InsertLoopsInPoints(isl::schedule_node node, const ThreadNest& nest);

// Tile loops. Of one alone its full tiles are kept apart, so that the loop inside them has a constant length.
isl::schedule_node InsertTileLoops(isl::schedule_node node, const BlockOfKernel& block,
                                   const ThreadNest& nest);

}  // namespace tune
