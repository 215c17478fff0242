// Decides which references of a kernel go through shared memory and registers (PPCG: Verdoolaege et al.,
// "Polyhedral parallel code generation for CUDA", TACO 2013, section 5).
#pragma once

#include <string>
#include <vector>

#include "common/scop/scop.h"
#include "worker/mapping/local_memory.h"

namespace tune {

// What is known about the instances of one block of one launch.
struct BlockInstances {
  const ParsedScop* scop = nullptr;
  std::vector<std::string> statements;  // of the kernel
  isl::union_set domain;                // { S }, in terms of the block's coordinates
  isl::union_map mapped;                // { S -> [values of the mapped members] }
  isl::union_map points;                // { S -> [w] }: which of its thread's points
  isl::union_map prefix;               // { S -> [p] }: schedule above the place where shared tiles are filled
  std::vector<int64_t> point_extents;  // of w
};

// Tiles in shared memory of arrays that the kernel only reads, where elements are read more than once and fit
// boxes of constant size; the largest first does without when all together need more than `most_bytes`. Adds
// tiles and references. Throws isl::exception.
void PromoteToShared(const BlockInstances& block, int64_t most_bytes, LocalMemory* memory);

// Tiles in registers of arrays that the kernel writes, where every reference touches one element for each
// point of a thread, and no two points touch the same. Adds tiles and references. Throws isl::exception.
void PromoteToRegisters(const BlockInstances& block, LocalMemory* memory);

}  // namespace tune
