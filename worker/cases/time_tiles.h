// Regions that are a loop over steps, of which a block can run several for a tile of the arrays: overlapped
// tiling (Krishnamoorthy et al., PLDI 2007; Holewinski et al., ICS 2012) in which sizes are arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "worker/cases/parametric_kernel.h"

namespace tune {

// What all points of one step run between two barriers.
struct TilePhase {
  Block body;  // at the point CaseNames::value of the step CaseNames::host, whatever these are
  // In a step `body` is these instances where this holds, which is the case between two points of a column
  // where it holds at both; empty: it is something else.
  IndexExpression where;
  Block points;
  // Along each axis: how far an element of the tiled arrays that a point reads lies before and behind that
  // which it writes.
  std::vector<int64_t> before, behind;
};

// The elements that a phase writes in any step, of the region's parameters.
struct WrittenPart {
  std::vector<IndexExpression> first, last;
};

struct TimeTiles {
  int dimensions = 0;       // of the arrays, 1 or 2, and axes of the kernels
  std::vector<int> arrays;  // numbers, in the scop, of those that the region writes
  // Parallel to these: each step writes this part, all of it, before it reads anything of it; nothing: it may
  // read what an earlier step wrote.
  std::vector<std::optional<WrittenPart>> made;
  std::vector<int64_t> sides;           // elements of a tile along each dimension
  std::vector<int64_t> before, behind;  // sums of those of the phases
  std::vector<TilePhase> phases;        // of a step
  // When there are steps, of the region's parameters.
  IndexExpression where = IndexExpression::Constant(1);
  Loop steps;        // its iterator, first and condition
  ArrayBox written;  // of each array
};

// Nothing where a step is no sequence of parallel loops over arrays of one shape, whose points write an
// element each and read elements at fixed distances of it.
std::optional<TimeTiles> FindTimeTiles(const ParametricRegion& region);

}  // namespace tune
