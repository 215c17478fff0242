// Where a thread waits.
#pragma once

#include <cstdint>
#include <vector>

#include "worker/ptx/control_flow.h"
#include "worker/ptx/ptx_module.h"

namespace tune {

// Of each block: how often a thread waits each time that it executes it: for the results of loads, once for
// all that were issued before the first of them was needed, and at barriers. Ryoo et al.'s regions are these
// and one more.
//
// PTX is not in the order in which it runs: "it is assumed that both loads execute before the stores" (figure
// 3). So of what stands between two barriers, or the ends of a block, all loads are taken to be issued first
// whose addresses need no loaded value; a chain of three loads, each of an address that the one before gave,
// waits three times. A load stays behind a store to global memory, which may be to the same element. A load
// whose result is needed behind a barrier or in another block is waited for there.
std::vector<int64_t> WaitsOfBlocks(const PtxFunction& function, const ControlFlow& flow);

}  // namespace tune
