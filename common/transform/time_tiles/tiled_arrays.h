// Which elements tiles of a stencil loop take from one another.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/time_tiles/stencil_loop.h"

namespace tune {

// What the time tiles, of so many steps, need of the arrays that the loop writes and leave in them. T is the
// number of the time tile. Sets have no parameters.
struct TiledArray {
  std::string name;
  // By statement (in StencilLoop::statements) and access: { S } whose value was not made in their time tile.
  std::map<std::pair<size_t, int>, isl::set> outside;
  // { [T] -> A }: of which later time tiles, or what comes after the loop, need the value; nothing: of none.
  std::optional<isl::map> made;
  std::optional<isl::set> leaving;  // { A }: of which what comes after the loop does
};

// Of each array that the loop writes. Nothing when a time tile needs a value of an earlier one than the one
// before, or what comes after the loop one of another than the last. Throws isl::exception.
std::optional<std::vector<TiledArray>> FindTiledArrays(const StencilLoop& loop, const ParsedScop& scop,
                                                       const Dependences& dependences, const isl::set& values,
                                                       int64_t steps);

}  // namespace tune
