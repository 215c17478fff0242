// The sizes at which default decisions are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"
#include "worker/codegen/symbolic_plan.h"

namespace tune {

// A grid of values of parameters.
struct SizeGrid {
  // Parameters that have the same value along an axis: one, or all where they would be too many axes.
  std::vector<std::vector<std::string>> axes;
  std::vector<int64_t> sizes;  // along each axis, ascending
  std::vector<double> limits;  // between sizes that are next to each other

  size_t CellCount() const;
  // Which of the sizes the cell has along each axis; the last one changes fastest.
  std::vector<size_t> PlaceOf(size_t cell) const;
  SizeValues ValuesAt(size_t cell) const;
  // By how many sizes two cells differ along their axes: the sum of squares.
  size_t Distance(size_t cell, size_t other) const;
};

// Of the scop's parameters that are no products; limits are geometric means.
SizeGrid MakeSizeGrid(const v1::Scop& scop, const std::vector<int64_t>& sizes);

// Limits are evenly spaced in their logarithms, from 16 to 4096, the further apart the more axes there are;
// powers of two, which defaults change at, are among them. Of one parameter there are larger ones as well, up
// to those at which the arrays have 2^30 elements. Sizes are multiples of 4.
SizeGrid DefaultSizeGrid(const v1::Scop& scop);

}  // namespace tune
