// Decides which references of a kernel go through shared memory and registers (PPCG: Verdoolaege et al.,
// "Polyhedral parallel code generation for CUDA", TACO 2013, section 5).
#pragma once

#include <string>
#include <vector>

#include "worker/mapping/block_of_kernel.h"
#include "worker/mapping/local_memory.h"

namespace tune {

// What is known about the instances of one block of one launch.
struct BlockInstances {
  const ParsedScop* scop = nullptr;
  std::vector<std::string> statements;  // of the kernel
  isl::union_set domain;                // { S }, in terms of the block's coordinates
  isl::union_map mapped;                // { S -> [values of the mapped members] }
  isl::union_map next_lane;             // { S -> S' }: what the next thread along x runs at the same time
  bool filled_by_others = false;        // shared memory, by threads that have no instances
  isl::union_map points;                // { S -> [w] }: which of its thread's points
  isl::union_map prefix;               // { S -> [p] }: schedule above the place where shared tiles are filled
  std::vector<int64_t> point_extents;  // of w
};

// Whether the statement is x[f] = x[g]: what goes to x[f] is what x[g] holds.
bool IsCopyWithin(const ParsedStatement& statement);

// Those of `statements` in `domain`; prefix is left out. Throws isl::exception.
BlockInstances InstancesOfBlock(const BlockOfKernel& block, const std::vector<std::string>& statements,
                                const isl::union_set& domain);

// Where a shared tile begins in its array: { [p] -> A[first element] }.
struct SharedTileOffset {
  isl::multi_aff first;
};

// Tiles in shared memory of arrays that the kernel only reads, where elements are read more than once, or
// other threads than those that read them help to fetch them, and fit boxes of constant size; the one with
// the most bytes for each of its references first does without when all together need more than `most_bytes`.
// Adds tiles and references; returns an offset for each of the tiles. Throws isl::exception.
std::vector<SharedTileOffset> PromoteToShared(const BlockInstances& block, int64_t most_bytes,
                                              LocalMemory* memory);

// Tiles in registers of arrays that the kernel writes, where every reference touches one element for each
// point of a thread, and no two points touch the same; but for targets of copies within the array, as of a
// symmetric matrix, that no other point touches; `own_instances`: those of the scop, which it is that must do
// so. Adds tiles and references. Throws isl::exception.
void PromoteToRegisters(const BlockInstances& block, const isl::union_set& own_instances,
                        LocalMemory* memory);

// Tiles in registers for the partial values of the reduction's updates, one element a point of a thread. Adds
// tiles, and references, in place of those to other tiles. Throws isl::exception.
void PromoteReduction(const BlockInstances& block, const KernelReduction& reduction, LocalMemory* memory);

}  // namespace tune
