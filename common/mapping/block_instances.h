// What is known about the instances of one block of one launch, for the choice of tiles.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/mapping/block_of_kernel.h"
#include "common/mapping/local_memory.h"

namespace tune {

// All functions here throw isl::exception.
struct BlockInstances {
  const ParsedScop* scop = nullptr;
  std::vector<std::string> statements;  // of the kernel
  isl::union_set domain;                // { S }, in terms of the block's coordinates
  isl::union_map mapped;                // { S -> [values of the mapped members] }
  isl::union_map points;                // { S -> [w] }: which of its thread's points
  isl::union_map prefix;               // { S -> [p] }: schedule above the place where shared tiles are filled
  std::vector<int64_t> point_extents;  // of w

  // { S -> A } of the reference, on these instances.
  isl::union_map Access(const std::string& statement, size_t access) const;
  // Arrays that they write.
  std::set<std::string> WrittenArrays() const;
};

// Whether the statement is x[f] = x[g]: what goes to x[f] is what x[g] holds.
bool IsCopyWithin(const ParsedStatement& statement);

// Those of `statements` in `domain`; prefix is left out.
BlockInstances InstancesOfBlock(const BlockOfKernel& block, const std::vector<std::string>& statements,
                                const isl::union_set& domain);

// Adds a tile in registers, one element for each point of a thread, for the references to `array`, in place
// of those to other tiles.
void AddRegisterTile(const BlockInstances& block, const std::string& array, const std::string& name,
                     const std::vector<ReferenceName>& references, LocalMemory* memory);

}  // namespace tune
