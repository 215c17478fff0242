// How large tiles are that stream along the first dimension of arrays, and what a thread has of them.
#pragma once

#include <optional>

#include "common/device/device_facts.h"
#include "common/transform/streamed_tiles/stream_plan.h"
#include "common/transform/time_tiles/tile_shape.h"

namespace tune {

struct StreamShape {
  TileShape tile;
  // Elements of a row that a place has, next to one another along the row's first dimension: what one thread
  // computes of the row. They divide the tile's extent.
  int64_t points = 1;
  int64_t ahead = 4;      // rows that are read are loaded so many iterations before
  int64_t registers = 0;  // of 32 bits that a thread is to do with; 0: the compiler decides
  int64_t blocks = 0;     // that the device runs at once; 0: not known
};

// Iterations of a tile: rows that it loads, and those that its last version is later.
int64_t IterationsOf(const TileShape& tile, const StreamPlan& plan);

// The versions of an array that are kept for what is computed of them: from the first one, so many.
int64_t FirstKept(const StreamedArray& array);
int64_t KeptVersions(const StreamedArray& array, int64_t steps);

// Tiles that take the least time by an estimate: as many blocks as the device runs at once, or that a few
// times, of which each computes as little as possible at margins. Rows of two dimensions have tiles along
// both; a step of a loop that joins statements is a tile of time of its own there. Nothing where there is no
// use for tiles. Throws isl::exception.
std::optional<StreamShape> ChooseStreamShape(const StencilLoop& loop, const ParsedScop& scop,
                                             const StreamPlan& plan, const DeviceFacts& device,
                                             TileShapes* shapes);

}  // namespace tune
