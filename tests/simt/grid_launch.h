// One launch of a kernel, as the blocks see it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/simt/block.h"
#include "tests/simt/interface.h"

namespace tune::simt {

using Extents = std::array<unsigned, 3>;  // x, y, z; also an index

inline uint64_t Count(const Extents& extents) { return uint64_t{extents[0]} * extents[1] * extents[2]; }

// The index with this linear number, x fastest.
inline Extents IndexIn(const Extents& extents, uint64_t number) {
  return {static_cast<unsigned>(number % extents[0]), static_cast<unsigned>(number / extents[0] % extents[1]),
          static_cast<unsigned>(number / extents[0] / extents[1])};
}

struct GridLaunch {
  struct Bytes {
    char* begin;
    size_t bytes;
  };
  static constexpr int kPoison = 0xff;  // every byte of shared memory when a block begins

  const simt_kernel* kernel;
  void** arguments;
  Extents grid, block;
  std::vector<Bytes> shared;  // a block's variables, static and dynamic
  bool cooperative;
};

struct GridFault {
  Violation violation;
  Extents block{};
  Extents other_block{};  // with Shadow::Fault::With::kBlock
};

}  // namespace tune::simt
