// Loops of a schedule whose iterations are tiles, each the work of a block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tune {

// Name of the mark above their band: its iterations are independent, and what is below them are launches of
// one block each. `registers`: that a thread is to do with, of 32 bits; 0: the compiler decides.
std::string TileLoopsMark(int64_t registers = 0);
// The registers of such a mark; nothing for the name of any other.
std::optional<int64_t> RegistersOfTileLoops(const std::string& mark);

// Which of the host loops around a kernel these are.
struct TileLoops {
  int first = 0;          // of so many loops outside of them
  int count = 0;          // 0: there are none
  int64_t tiles = -1;     // of a launch, at most; -1: not known
  int64_t registers = 0;  // of the mark
  bool operator==(const TileLoops&) const = default;
};

}  // namespace tune
