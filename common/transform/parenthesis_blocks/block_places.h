// Where the instances of a table's statements run when the table is filled block by block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/transform/parenthesis_blocks/table_nest.h"

namespace tune {

// Of a wavefront of blocks, in this order.
enum class BlockPhase {
  kFirst,  // stores of what no table holds
  kFar,    // updates by elements of blocks of earlier wavefronts
  kNear,   // all else, in which an element needs others of its block
};

// A part of a statement. Its instances are
//   kFirst  [w, b, i, j]     wavefront, row of blocks, the element in the block
//   kFar    [w, b, i, j, t]  and the split, counted from the block's first row
//   kNear   [w, b, s, p, q]  step, p, which s leaves of the element in the block, and the split, counted from
//                            the block's first row or, one more block on, its first column; least and
//                            greatest of all is q of what is before and behind all splits.
// Numbers of rows count from 0 in the table; steps in the direction in which elements follow from others.
struct BlockPiece {
  size_t statement = 0;  // in TableNest::statements
  BlockPhase phase = BlockPhase::kNear;
  isl::set instances;     // { [..] }, without a name
  isl::multi_aff origin;  // { [..] -> S[x] }
};

// The pieces of blocks of `size` x `size` elements, phase by phase, in the order of the nest's statements.
// Nothing where no update is far, or splits lie elsewhere. Throws isl::exception.
std::optional<std::vector<BlockPiece>> PlaceInBlocks(const TableNest& nest, const ParsedScop& scop,
                                                     const isl::set& values, int64_t size);

// The blocks that the tables have along rows or columns, whichever are fewer. Throws isl::exception.
int64_t BlocksAlong(const TableNest& nest, int64_t size);

}  // namespace tune
