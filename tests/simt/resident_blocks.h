// Runs the blocks of a cooperative launch.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "common/base/random.h"
#include "tests/simt/block.h"
#include "tests/simt/fiber.h"
#include "tests/simt/grid_launch.h"
#include "tests/simt/interface.h"
#include "tests/simt/shadow.h"

namespace tune::simt {

// All blocks of one launch at once, which take turns: a block runs from one barrier of its own to the next,
// then any block that does not wait at a grid barrier, in random order. Where all wait at the same grid
// barrier, all go on.
class ResidentBlocks {
 public:
  // All must outlive it. Precondition: the shadow has begun the launch.
  ResidentBlocks(Shadow* shadow, simt_interface* text, const GridLaunch* launch);
  ResidentBlocks(const ResidentBlocks&) = delete;
  ResidentBlocks& operator=(const ResidentBlocks&) = delete;

  // To be called once. False: `fault` says why.
  bool Run(Random& random, GridFault* fault);

  int64_t accesses() const;
  int64_t barriers() const;

 private:
  struct Resident {
    Resident(Shadow* shadow, simt_interface* text, FiberSet* fibers, int first_fiber)
        : block(shadow, text, fibers, first_fiber) {}

    Block block;
    Block::Stop stop = Block::Stop::kBarrier;  // of its last turn
    std::vector<char> shared;                  // what its variables hold while it is not its turn
  };

  void Take(size_t number);
  bool AllEnded() const;
  bool AllAtOneBarrier() const;
  void Explain(GridFault* fault) const;
  void ExplainDivergence(GridFault* fault) const;

  Shadow* shadow_;
  const GridLaunch* launch_;
  FiberSet fibers_;
  std::deque<Resident> blocks_;  // never moved
  size_t current_ = 0;           // whose turn it is; behind the last: nobody's
};

}  // namespace tune::simt
