// What the kernel of time tiles and the host's code that launches it have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "worker/cases/case_arguments.h"
#include "worker/cases/time_tiles.h"

namespace tune {

// The kernel's.
std::string FunctionOfTiles(const TimeTiles& tiles, const ParametricRegion& region);

// Of arrays that fit into a tile whose threads have one point each; nothing of those that have one anyway.
std::optional<TimeTiles> SmallTiles(const TimeTiles& tiles);

// Threads of a block along x and y, and the points of a thread: in a column of tiles of two dimensions.
struct TileBlock {
  int64_t x = 1, y = 1, points = 1;
  int64_t Threads() const { return x * y; }
};
TileBlock BlockOf(const TimeTiles& tiles);

inline constexpr int64_t kLineThreads =
    256;  // of a block, of tiles of one dimension, of whose side it is a divisor

int64_t ElementsOfTile(const TimeTiles& tiles);
// Bytes of an element of each of the arrays.
int64_t BytesOfElement(const TimeTiles& tiles, const ParametricRegion& region);

// The first arguments of the kernel: those of the cases' kernels together, the step behind them.
std::vector<CaseArgument> ArgumentsOfTiles(const ParametricRegion& region);

// Of the array's elements, along the dimension: what is there and used.
IndexExpression FirstUsed(const ParametricRegion& region, int array, int dimension);
IndexExpression LastUsed(const ParametricRegion& region, int array, int dimension);

}  // namespace tune
