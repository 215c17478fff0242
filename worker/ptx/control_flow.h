// Basic blocks of a function, and its loops.
#pragma once

#include <vector>

#include "common/base/status.h"
#include "worker/ptx/ptx_module.h"

namespace tune {

struct BasicBlock {
  size_t begin = 0, end = 0;  // of its instructions
  // Blocks that can follow. Of a conditional branch: the one that it goes to, then the next one.
  std::vector<int> successors;
  std::vector<int> predecessors;
  bool is_conditional = false;  // ends with a guarded branch, to another block than the next one
  int loop = -1;                // the innermost one around it
  int dominator = 0;  // the last other block that every way to it goes through; of the first one itself
};

// A natural loop: every way into it enters at its header.
struct NaturalLoop {
  int header = 0;
  int parent = -1;
  int depth = 1;             // 1: in no other one
  std::vector<int> latches;  // from which it goes back to the header
  std::vector<int> blocks;   // all of them, of loops inside it too, rising
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;  // that can be reached; 0 is the first one
  std::vector<NaturalLoop> loops;  // outer ones before those inside
  // All blocks, each after those from which control comes to it other than back to a header, and those of a
  // loop together.
  std::vector<int> order;
  std::vector<int> position;  // of each block in `order`
  // Whether a jump goes into the middle of a loop; such jumps are not followed.
  bool is_irreducible = false;

  bool Contains(int loop, int block) const;    // loop -1 contains all
  bool Dominates(int above, int block) const;  // a block dominates itself
  // The loop that is entered from the block on, without a decision before; -1: none is. Blocks of a loop do
  // not enter it.
  int LoopEnteredFrom(int block, int around) const;
  // Whether it goes on in `order`, and not back to a header.
  bool IsForward(int from, int to) const { return position[from] < position[to]; }
};

// INVALID_ARGUMENT: a branch to a label that is not there. RESOURCE_EXHAUSTED: more blocks, branches or loops
// in each other than kernels have.
absl::StatusOr<ControlFlow> ControlFlowOf(const PtxFunction& function);

}  // namespace tune
