// CUDA text that combines the partial values of a reduction within a block.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// "a += b;", "a *= b;", "a = b < a ? b : a;", ... `b` is evaluated more than once. NONE does not occur.
std::string CombineText(v1::UpdateOperator update, const std::string& a, const std::string& b);

// A constant that leaves values of the type unchanged under the operator.
std::string IdentityText(v1::UpdateOperator update, v1::ElementType type);

struct BlockReductionText {
  std::string tile;              // C name of the partial values
  std::vector<int64_t> extents;  // of a thread's; empty: one value
  v1::ElementType type;
  v1::UpdateOperator update;
  size_t axis = 0;                             // along which the threads lie that share a reduction, 0: x
  std::array<int64_t, 3> threads = {1, 1, 1};  // of the block, powers of two
  std::string helper;                          // begins names that nothing else has
  std::string thread_index = "threadIdx";
  std::string exchange = "__shfl_xor_sync";  // the function, or another one of the same parameters
};

// Lines that every thread of the block runs. Afterwards the values of the threads whose coordinate along the
// axis is 0 are combinations of all: by shuffles of those that stand in one warp, then of the warps through
// shared memory. No order of combination depends on timing.
std::vector<std::string> BlockReductionLines(const BlockReductionText& reduction);

}  // namespace tune
