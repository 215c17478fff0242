// What the instances of a streamed tile are, and the elements that it keeps.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/transform/streamed_tiles/stream_plan.h"
#include "common/transform/streamed_tiles/stream_shape.h"
#include "common/transform/time_tiles/scop_in_tiles.h"

namespace tune {

// Instances are [T, I0, ..., s, x1, ..., p, t]: time tile, tile, iteration, place, its point where places
// have several, and version. Everything throws isl::exception.
class StreamedPlaces : public ScopInTiles {
 public:
  StreamedPlaces(const ParsedScop& scop, const StencilLoop& loop, const StreamShape& shape,
                 const StreamPlan& plan, const isl::set& values);

 protected:
  // Of what is kept of an array (streamed_scop.h).
  struct Names {
    std::string own, made, rows, ahead;
  };
  void AddArrays(const StreamedArray& array);
  // The last version of which rows are kept.
  int64_t LastKept(const StreamedArray& array) const;

  // How many there are along a dimension.
  int64_t Places(int i) const { return i == 1 ? shape_.extents[1] / points_ : shape_.extents[i]; }
  // The element of a row that is at the place, or its point.
  std::string ElementOfRow(int i) const;

  std::string Tiles() const { return NumberedNames("I", dimensions_); }
  std::string Places() const;
  // "x1, x2, p", of an instance, and "p, x1, x2", of what is kept.
  std::string Points() const { return Places() + (points_ > 1 ? ", p" : ""); }
  std::string KeptPoints() const { return (points_ > 1 ? "p, " : "") + Places(); }
  // The same in rows, which have elements beside what the tile computes.
  std::string PointsInRows() const;
  std::string NextName() const { return absl::StrCat("S", result_.statements_size()); }
  // "S7[T, I0, I1, s, x1, t]"
  std::string Instance(const std::string& name) const;
  std::vector<std::string> Iterators() const;

  // First element that a tile holds, along a dimension.
  std::string Origin(int i) const;
  // "y, e1": the element of the version that the iteration makes at the place.
  std::string Element(const StreamedArray& array, const std::string& iteration = "s") const;
  isl::multi_aff ElementOf(const StreamedArray& array, const std::string& name) const;

  // Of all tiles and places.
  std::string Bounds() const;
  // Those of all tiles, iterations and places, that fulfil the condition.
  isl::set Instances(const std::string& name, const std::string& condition) const;
  static isl::set Named(isl::set instances, const std::vector<std::string>& iterators);

  // { S -> A_own[...] }: of version t and age.
  isl::map Own(const std::string& name, const StreamedArray& array, int64_t back, int64_t age) const;
  // { S -> A_made[...] }
  isl::map Made(const std::string& name, const StreamedArray& array) const;
  // { S -> A_rows[...] }: of version t and the iteration.
  isl::map Rows(const std::string& name, const StreamedArray& array) const;
  // { S -> A_ahead[...] }.
  isl::map Ahead(const std::string& name, const StreamedArray& array, int64_t age) const;
  // { S -> A_turns[...] }.
  isl::map Turn(const std::string& name, const StreamedArray& array, int64_t after,
                const std::string& iteration = "s") const;

  // { S -> A_rows[...] } of { S -> [a] }, of the version so many steps back.
  isl::map RowsAt(const isl::map& element, const StreamedArray& array, int64_t back) const;

  // Before the first iteration: instances [T, I0, ..., x1, ..., p, t, age].
  std::string FirstInstance(const std::string& name) const;
  std::vector<std::string> FirstIterators() const;
  isl::set FirstInstances(const std::string& name, const std::string& condition) const;

  const StreamPlan& plan_;
  const int64_t points_;      // of a place
  const int64_t ahead_;       // iterations that rows of version 0 are loaded before they are used
  const int64_t registers_;   // of a thread; 0: any
  const int64_t iterations_;  // of a tile
  Halo beside_;  // elements of rows beside what a tile computes, which are zero: places need no conditions
  std::map<std::string, Names> names_;  // by array

 private:
  std::vector<std::string> prefix_;  // of the iterators: tiles, row, place, point, version, age
};

}  // namespace tune
