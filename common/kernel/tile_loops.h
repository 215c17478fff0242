// Loops of a schedule whose iterations are tiles, each the work of a block.
#pragma once

#include <cstdint>

namespace tune {

// Name of the mark above their band: its iterations are independent, and what is below them are launches of
// one block each.
inline constexpr char kTileLoops[] = "tile_loops";

// Which of the host loops around a kernel these are.
struct TileLoops {
  int first = 0;       // of so many loops outside of them
  int count = 0;       // 0: there are none
  int64_t tiles = -1;  // of a launch, at most; -1: not known
  bool operator==(const TileLoops&) const = default;
};

}  // namespace tune
