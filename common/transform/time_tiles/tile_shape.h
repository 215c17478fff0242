// How large tiles of several time steps are, and how much of their neighbours they compute again.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
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

// One statement's value is read by another so many steps later, at most so far away.
struct StencilDistance {
  size_t from = 0, to = 0;  // in StencilLoop::statements
  int64_t steps = 0;
  Halo halo;  // by which the first must reach beyond the second
};

// The shapes that tiles of a stencil loop can have. Everything throws isl::exception.
class TileShapes {
 public:
  // Nothing where something is read from any distance.
  static std::optional<TileShapes> Find(const StencilLoop& loop, const ParsedScop& scop,
                                        const Dependences& dependences, const isl::set& values);

  // Tiles that hold so many elements along each dimension; one holds all of a dimension of WholeExtent(i)
  // elements. Nothing where more than a quarter along some other dimension were margin.
  std::optional<TileShape> Of(int64_t steps, const std::vector<int64_t>& extents);
  // The margin of tiles of so many steps that do not hold all of a dimension.
  Halo Margin(int64_t steps);
  // Elements along the dimension that the loop writes; and with those that its statements read beside them.
  int64_t Elements(int dimension) const { return last_[dimension] - first_[dimension] + 1; }
  int64_t WholeExtent(int dimension) const;
  // Whether some statement reads in the same step what another has written.
  bool JoinsStatements() const;

 private:
  TileShapes(const StencilLoop& loop, const ParsedScop& scop);
  bool FindDistances(const isl::union_map& flow, const isl::set& values);
  bool AddDistances(const isl::union_map& flow, const isl::set& values, size_t from, size_t to);
  bool AddReads(const StencilStatement& statement, const isl::set& values);
  void AddReach();
  Halo Growth(int64_t steps);
  Halo Beyond() const;  // that all statements read
  Halo None() const;

  const StencilLoop& loop_;
  const ParsedScop& scop_;
  std::set<std::string> written_;
  std::vector<int64_t> first_, last_;  // element that is written, along each dimension
  std::vector<StencilDistance> distances_;
  std::vector<Halo> reads_;               // of each statement: how far beyond its element it reads
  std::vector<std::vector<Halo>> reach_;  // with so many steps behind it, of each statement
};

// The largest tiles, in time, of which at most a quarter along each dimension is margin, and that hold so
// many elements. Nothing where there is no use for tiles: they would not hold two steps, or there would be
// fewer than two along some dimension.
std::optional<TileShape> LongestTiles(const std::vector<int64_t>& extents, const StencilLoop& loop,
                                      TileShapes* shapes);

// The same within the limits; nothing in more than two dimensions. Throws isl::exception.
std::optional<TileShape> ChooseTileShape(const StencilLoop& loop, const ParsedScop& scop,
                                         const Dependences& dependences, const isl::set& values,
                                         const TileLimits& limits);

}  // namespace tune
