// Runs the blocks of a launch.
#pragma once

#include <cstdint>

#include "common/base/random.h"
#include "tests/simt/block.h"
#include "tests/simt/fiber.h"
#include "tests/simt/grid_launch.h"
#include "tests/simt/interface.h"
#include "tests/simt/shadow.h"

namespace tune::simt {

// One launch after another: the blocks of a cooperative one together, those of others one after another in
// random order.
class Grid {
 public:
  // `text` calls back to the launch's blocks from now on. Both must outlive it.
  Grid(Shadow* shadow, simt_interface* text);
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  // Precondition: a valid launch, which the shadow has begun. False: see fault().
  bool Run(const GridLaunch& launch, Random& random);
  const GridFault& fault() const { return fault_; }

  int64_t blocks() const { return blocks_; }
  int64_t accesses() const { return accesses_ + block_.accesses(); }
  int64_t barriers() const { return barriers_ + block_.barriers(); }

 private:
  bool RunOneByOne(const GridLaunch& launch, Random& random);
  bool RunBlock(const GridLaunch& launch, const Extents& index, Random& random);

  Shadow* shadow_;
  simt_interface* text_;
  FiberSet fibers_;
  Block block_;  // that has run last, of those that run one by one
  GridFault fault_;
  int64_t blocks_ = 0;
  int64_t accesses_ = 0;  // of resident blocks
  int64_t barriers_ = 0;
};

}  // namespace tune::simt
