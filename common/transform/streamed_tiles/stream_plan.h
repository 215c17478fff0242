// When a tile that streams along the first dimension of arrays computes each row, and where it keeps rows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/transform/time_tiles/stencil_loop.h"

namespace tune {

// Of an array that the loop writes. Version t of it is what its elements are after t steps of the time tile,
// version 0 what they are before it. In iteration s a tile makes row s - lag - t * StreamPlan::lag, counted
// from its first one, of version t; a row is all elements of the same first subscript.
struct StreamedArray {
  std::string name;
  isl::set written;  // { [e] } by the loop: the same elements in each step, each of them once
  int64_t lag = 0;
  int64_t ages = 1;    // of so many iterations an element is kept for what is computed at its own place
  int64_t rows = 0;    // of so many for what is computed beside it; 0: of none
  bool first = false;  // version 0 is read
  bool last = false;   // the last version is read, by other than what stores it
};

// Of an access that reads such an array in step t of the time tile, 1 for the first one.
struct StreamedRead {
  int64_t back = 0;  // it reads version t - back
  bool own = false;  // at the place of the element that is computed, in each dimension but the first
  int64_t age = 0;   // then: made so many iterations before
  isl::set beside;   // { [d] }: distances along all dimensions but the first
};

struct StreamPlan {
  int64_t lag = 0;  // iterations from a row of one version to the same row of the next
  std::vector<StreamedArray> arrays;
  std::map<std::pair<size_t, int>, StreamedRead> reads;  // by StencilLoop::statements and access

  const StreamedArray& array(const std::string& name) const;  // precondition: exists
};

// An iteration needs of what others compute in it only what is computed at the same place (N.5D blocking with
// a lag between versions: Nguyen et al., SC 2010; Matsumura et al., AN5D, CGO 2020). Nothing where elements
// are not written once in each step, or are read both before and after that; sums in place; where something
// is read from any distance along the first dimension; or where what a tile computes of other values than the
// loop's, which is not used, could fault. `values`: of the parameters. Throws isl::exception.
std::optional<StreamPlan> PlanStream(const StencilLoop& loop, const ParsedScop& scop, const isl::set& values);

}  // namespace tune
