// Blocks of a serial loop whose iteration t reads row and column t everywhere, and updates them itself: all
// shortest paths (Floyd and Warshall), transitive closures, elimination after Gauss and Jordan. As in the
// blocked algorithm of Venkataraman, Sahni and Mukhopadhyaya (A blocked all-pairs shortest-paths algorithm,
// ACM Journal of Experimental Algorithmics 8, 2003): the block's diagonal tile, its rows and columns, then
// all the rest, a product of matrices whose depth is the block. Theirs takes rows and columns as they are at
// the end of the block, which is right for shortest paths alone. Here each iteration's are copied when they
// are what that iteration reads, so that all values are the original's, whatever is computed:
//  1. Each instance gets the number of its block as an iterator (blocked_loops/block_domains.h).
//  2. Statements are cut where an iterator enters and leaves the block, and inside of it where it passes the
//     time (pivot_pieces.h).
//  3. What pieces read of rows and columns that the block writes are copies (copied_values.h,
//     pivot_copies.h).
//  4. Inside of a block the strongly connected components of what is left follow each other
//     (blocked_loops/block_schedule.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/schedule/analysed_scop.h"

namespace tune {

// Iterations in a block.
inline constexpr int64_t kPivotBlock = 32;
// Of loops with fewer blocks each iteration touches so little that its launches take no longer than what is
// serial in a block: measured on an H200, 128 x 128 integers: 0.79 ms, without blocks 0.74; 512: 3.3 and 9.1.
inline constexpr int64_t kFewestPivotBlocks = 8;

// A scop that computes the same, in the order in which it is to run, with further arrays of at most
// `most_bytes`. Loops of fewer than `fewest` blocks at the `values` of the parameters, and those that need no
// copies (block_loops.h), stay. nullopt: there is nothing to gain. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> BlockPivots(AnalysedScop& analysed,
                                                    const std::map<std::string, int64_t>& values,
                                                    int64_t most_bytes, int64_t size = kPivotBlock,
                                                    int64_t fewest = kFewestPivotBlocks);

}  // namespace tune
