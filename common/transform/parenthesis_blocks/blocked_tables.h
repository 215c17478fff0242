// The scop whose tables are filled block by block.
#pragma once

#include <optional>

#include "common/transform/parenthesis_blocks/block_places.h"

namespace tune {

// With the pieces of PlaceInBlocks:
//
//   for w                      wavefronts of blocks
//     for b, i, j              stores of what no table holds
//     for b, i, j, t           updates by elements of earlier blocks: a product of matrices
//     for b                    independent: TileLoopsMark stands above
//       for s                  diagonals of the block
//         for p, q             all else
//
// (Galil and Park, Parallel algorithms for dynamic programming recurrences with more than O(1) dependency,
// Journal of Parallel and Distributed Computing 21, 1994.) Nothing where that is not an order that keeps what
// instances do to each other (kept_order.h). Throws isl::exception.
std::optional<v1::Scop> FillByBlocks(const ParsedScop& scop, const TableNest& nest,
                                     const std::vector<BlockPiece>& pieces, const isl::set& values);

}  // namespace tune
