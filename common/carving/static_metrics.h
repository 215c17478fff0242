// What is known of a configuration from its compiled kernels, before any of them runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune {

// Of one kernel and all its launches of the same size. Counts of a thread are averages over all threads.
struct KernelMetrics {
  std::string kernel;       // its function
  double instructions = 0;  // that a thread executes: `Instr`
  double regions = 1;       // of a thread: stretches between blocking instructions, start and end: `Regions`
  double threads = 0;       // of a launch: `Threads`
  double launches = 1;
  int64_t warps_per_block = 1;            // `W_TB`
  int64_t blocks_per_multiprocessor = 0;  // that fit at once: `B_SM`; 0: none does
  // Global memory, of a thread: bytes that it asks for, and those that move where the accesses of its warp
  // touch whole transactions.
  double loaded_bytes = 0;
  double stored_bytes = 0;
  double moved_bytes = 0;
  double global_accesses = 0;
  double uncoalesced_accesses =
      0;                        // of these, for which a warp's threads touch more transactions than they need
  double unknown_accesses = 0;  // of these, whose addresses do not follow from the text
};

struct StaticMetrics {
  std::string configuration;  // as people call it
  std::vector<KernelMetrics> kernels;
};

// All that its threads execute; bytes of global memory that all of them move.
double ExecutedInstructions(const StaticMetrics& metrics);
double MovedBytes(const StaticMetrics& metrics);
// Uncoalesced ones among all accesses to global memory, from 0 to 1; 0 without any access. What is not known
// counts as coalesced.
double UncoalescedShare(const StaticMetrics& metrics);

}  // namespace tune
