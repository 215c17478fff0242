// How often a thread executes each block.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "worker/ptx/control_flow.h"
#include "worker/ptx/value_graph.h"

namespace tune {

struct PtxAnalysisOptions {
  // Iterations of loops, on average, by the file (PtxModule::files) and the line of the source that their
  // condition stands on: PTX with line information (nvcc -lineinfo) says which loops these are.
  std::map<std::pair<int, int>, double> trips_of_line;
  double assumed_trips = 16;  // of loops of which nothing is known
  // Instructions that one multiplication of integers of 32 bits counts as: 4 on devices of compute capability
  // 1
  // ("some instructions count as multiple instructions"), where it takes 16 cycles in place of 4.
  double multiplication = 1;
  int64_t transaction_bytes = 32;  // of global memory; 64 on devices before compute capability 2.0
};

enum class TripSource {
  kFollowed,   // from the text and the launch
  kAnnotated,  // the user's number
  kAssumed     // PtxAnalysisOptions::assumed_trips
};

struct LoopTrips {
  double trips = 0;  // iterations each time that it is entered, on average over threads and entries
  TripSource source = TripSource::kFollowed;
  int line = 0;         // of its header in the PTX
  int source_line = 0;  // of its condition; 0: not known
};

struct ExecutionCounts {
  std::vector<double> blocks;  // of each one, for a thread, on average over all threads
  std::vector<LoopTrips> loops;
  int unknown_branches = 0;  // within loops or not: each way is counted half
  // A place from which a warp can be looked at: iterations of each loop, in the middle of the launch.
  std::vector<int64_t> middle;
};

// Averages over threads, since the equations ask for an average; where a launch has more than some thousand,
// over some of them, spread evenly. A loop's other exits than the one that is taken first are not taken.
ExecutionCounts CountExecutions(const PtxFunction& function, const ControlFlow& flow, const ValueGraph& graph,
                                const PtxLaunch& launch, const PtxAnalysisOptions& options);

}  // namespace tune
