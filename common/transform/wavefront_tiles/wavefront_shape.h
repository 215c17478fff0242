// How large tiles of a wavefront are, and what they hold of arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/transform/wavefront_tiles/wavefront_band.h"

namespace tune {

// Iterations of a tile: along the loop of most iterations, by the number of loops, and along the others, of
// which threads of a block have one each, as many as the last loops need of `across`; and bytes of all arrays
// together, for which tiles become shorter.
struct WavefrontLimits {
  std::vector<int64_t> along = {128, 128};  // of two loops, of three
  std::vector<std::vector<int64_t>> across = {{128}, {16, 32}};
  int64_t bytes = 48 << 10;  // of shared memory, which a block of every device has
};

// Of an array that the loops write. Iteration h touches elements matrix * h + c, with constants c of the
// accesses.
struct WavefrontArray {
  std::string name;
  std::vector<std::vector<int64_t>> matrix;  // by dimension of the array, and loop
  // In iteration 0 of tile 0, a tile's element 0 is this one of the array; elements that a tile holds.
  std::vector<int64_t> first, extents;
};

struct WavefrontShape {
  std::vector<int64_t> sizes, counts;  // iterations of a tile along each loop; tiles
  // Loop of which a tile's number follows from the wavefront and those of the others: that of most tiles; and
  // loop along which a thread goes, one iteration at each step: the longest of a tile.
  int derived_tile = 0, along = 0;
  std::vector<WavefrontArray> arrays;
};

// Nothing where accesses to an array that is written move in different ways, or where there is no use for
// tiles: there would be fewer than two along some loop. Throws isl::exception.
std::optional<WavefrontShape> ChooseWavefrontShape(const WavefrontBand& band, const ParsedScop& scop,
                                                   const isl::set& values, const WavefrontLimits& limits);

}  // namespace tune
