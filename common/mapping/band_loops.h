// The loops that one band becomes: their order, their tiles, their marks.
#pragma once

#include <cstdint>
#include <vector>

#include "common/kernel/kernel.h"
#include "common/mapping/loop_mark.h"

namespace tune {

// One loop over a member of the band.
struct BandLoop {
  enum class Kind {
    kWhole,  // every value of the member
    kTile,   // the first value of each tile of `size`
    kPoint,  // the values inside the tile that a kTile loop of the same member, further out, stands on
  };
  Kind kind = Kind::kWhole;
  int member = 0;
  int64_t size = 0;  // of kTile
  bool from_minimum =
      false;  // of kTile: tiles start at the member's smallest value, not at a multiple of `size`
  bool coincident = false;
  LoopMark mark;
  bool operator==(const BandLoop&) const = default;
};

// What the kernel's plan asks of one band.
struct BandRequest {
  std::vector<int64_t> tile_sizes;  // one a member; 0: not tiled
  int parallel_member = -1;         // -1: none
  int threads = 1;
  bool all_threads = false;  // `threads` is what the device has: the loop takes as many as the run time has
  int64_t unroll = 1;        // of the innermost loop, when the band is innermost
  bool simd = false;         // the same
};

// Loops of a band, outermost first. In a permutable band every member may be interchanged and tiled
// (Bondhugula et al., PLDI 2008), so the parallel member's (tile) loop comes first, then the tile loops of
// the other members, then the loops inside the tiles; otherwise the members keep their order. In any other
// band each member is cut into strips where it stands, which is always legal. `omp simd` is asked for only on
// a coincident innermost loop; a request that cannot be met is dropped. A parallel loop over the innermost of
// several members is cut into chunks, whose points stay innermost. A loop that would be both parallel
// and unrolled is cut into one chunk a thread first, or several long ones where other machines may have more
// threads.
std::vector<BandLoop> ArrangeLoops(const KernelBand& band, const BandRequest& request);

}  // namespace tune
