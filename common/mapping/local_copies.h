// Statements between an array and its tiles in shared memory and registers, put into a schedule tree.
#pragma once

#include "common/mapping/block_of_kernel.h"
#include "common/mapping/local_memory.h"

namespace tune {

// Each function adds one CopyStatement to `memory`, and its instances before or after the subtree of `mark`;
// returns a node at or above which the tree is complete. Throw isl::exception.

// { [p] -> Fill[p] } before: all shared tiles, at the values [p] of the loops above, by all threads.
// `domain`: the block's instances that the subtree runs.
isl::schedule_node InsertFill(const isl::schedule_node& mark, const isl::union_set& domain,
                              LocalMemory* memory);

// Copies between registers and array, { [p] -> Copy[w] }, of the elements that the references to tile number
// `tile` touch in `instances`, those of one thread. kLoad goes before, kStore and kAccumulate after; the
// latter into the registers that hold the element, where there are any. `where`: parameters at which they
// run.
isl::schedule_node InsertCopies(const isl::schedule_node& mark, const BlockOfKernel& block,
                                const isl::union_set& instances, const isl::set& where, int tile,
                                CopyStatement::Kind kind, LocalMemory* memory);

// { [p] -> Combine[p] } after: the first thread of each place ends up with the combination of its partial
// values. `domain`: the block's instances of the reduction.
isl::schedule_node InsertCombine(const isl::schedule_node& mark, const isl::union_set& domain,
                                 LocalMemory* memory);

}  // namespace tune
