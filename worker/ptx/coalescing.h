// How the threads of a warp access global memory together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "worker/ptx/ptx_module.h"
#include "worker/ptx/value_graph.h"

namespace tune {

struct GlobalAccess {
  size_t instruction = 0;
  int64_t bytes = 0;  // of a thread
  // Between a thread and the next one along x: 0 where all access the same. No value: not known, or there is
  // one thread along x alone.
  std::optional<int64_t> stride_bytes;
  // Of the first warp of a block in the middle of the launch; no value: not known.
  struct Transactions {
    int64_t threads = 0;
    int64_t touched = 0;
    int64_t needed = 0;  // the fewest for so many different bytes
    // One more, where nothing is aligned, is as few as it gets.
    bool AreCoalesced() const { return touched <= needed + 1; }
  };
  std::optional<Transactions> transactions;
};

// Of each instruction that accesses global memory and can be reached. Transactions are of so many bytes
// (devices since compute capability 3.0: 32), of arrays that begin at one. `iterations`: of each loop, at
// which accesses in it are looked at.
std::vector<GlobalAccess> GlobalAccesses(const PtxFunction& function, const ControlFlow& flow,
                                         const ValueGraph& graph, const PtxLaunch& launch,
                                         const std::vector<int64_t>& iterations, int64_t transaction_bytes);

}  // namespace tune
