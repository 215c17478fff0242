// Elements of arrays by one subscript, of which references may share the computation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/program/program_node.h"
#include "worker/cases/kernel_variant.h"

namespace tune {

// Where elements of an array of the scop are to be found.
struct FlatMemory {
  std::string name;  // of the array in the text, or of a tile
  // Subscripts of its first element, and constants that are part of these; empty: zeros.
  std::vector<std::pair<IndexExpression, int64_t>> first;
  std::vector<std::string> extents;  // names of its numbers of elements along each dimension
};

// The block with accesses to those arrays, by the scop's names, as accesses by one subscript: (e0 * n1 + e1).
// As the variant says, subscripts but for their constants have names, of `prefix` and a number, in a scope
// around the instance or around neighbouring ones; of a tile these are no larger than the tile and what
// constants of references differ by.
Block FlattenAccesses(const Block& block, const std::map<std::string, FlatMemory>& memory,
                      const KernelVariant& variant, const std::string& index_type, const std::string& prefix);

// A subscript as what it is computed from and a constant: i + 1 is (i, 1).
std::pair<IndexExpression, int64_t> SplitConstant(const IndexExpression& subscript);

// How many different subscripts, up to constants, arrays with subscripts are accessed by.
int CountAddresses(const std::vector<ElementAccess>& accesses);

}  // namespace tune
