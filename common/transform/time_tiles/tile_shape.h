// How large tiles of several time steps are, and how much of their neighbours they compute again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/time_tiles/stencil_loop.h"

namespace tune {

// How far beyond a tile's own elements, along each dimension of the arrays.
struct Halo {
  std::vector<int64_t> before, after;
};

// Tiles of `steps` time steps. In the step with k steps behind it a tile's instances of a statement reach
// beyond its own elements by the statement's halo and k times `growth` (overlapped tiling: Krishnamoorthy et
// al., PLDI 2007; Holewinski et al., ICS 2012).
struct TileShape {
  int64_t steps = 1;
  std::vector<int64_t> first;    // element of the first tile
  std::vector<int64_t> size;     // own elements of a tile
  std::vector<int64_t> count;    // of tiles
  std::vector<int64_t> extents;  // of what a tile holds of an array: its own and `margin`
  Halo margin;                   // all that a tile's instances read or write
  Halo growth;
  // Parallel to StencilLoop::statements; and how far beyond its own element each reads of what the loop
  // writes.
  std::vector<Halo> halos, reads;
};

// Elements that a tile holds of an array along each dimension, by the number of these: what a block keeps on
// the chip; and bytes of all arrays together, for which the first dimension may be shorter. Measured on an
// H100 with five points of 2800 x 2800 floats: tiles of 64 x 64, 64 x 128 and 128 x 64 take 9.4, 9.0 and 9.3
// us a step, 128 x 128 13.9.
struct TileLimits {
  std::vector<int64_t> line = {1024};
  std::vector<int64_t> plane = {64, 64};
  int64_t bytes = 48 << 10;  // of shared memory, which a block of every device has
};

// The largest tiles, in time, of which at most a quarter along each dimension is margin. Nothing where there
// is no use for tiles: they would not hold two steps, or there would be fewer than two along some dimension.
// Throws isl::exception.
std::optional<TileShape> ChooseTileShape(const StencilLoop& loop, const ParsedScop& scop,
                                         const Dependences& dependences, const isl::set& values,
                                         const TileLimits& limits);

}  // namespace tune
