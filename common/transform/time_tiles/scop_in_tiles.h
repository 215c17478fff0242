// What scops of which a stencil loop runs in tiles of time have in common.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/transform/tiled_parts.h"
#include "common/transform/time_tiles/tile_shape.h"
#include "common/transform/time_tiles/tiled_arrays.h"

namespace tune {

// Makes a scop from one with a stencil loop. Of each array A that the loop writes it has two whole copies,
// A_turns[2], of which a time tile T reads one, T mod 2, and writes the other. What stands between the copies
// is the derived class's. Everything throws isl::exception.
class ScopInTiles {
 protected:
  ScopInTiles(const ParsedScop& scop, const StencilLoop& loop, const TileShape& shape,
              const isl::set& values);

  isl::ctx ctx() const { return values_.ctx(); }
  isl::map AtValues(const isl::map& map) const;
  // Of the statement in the loop.
  const ParsedStatement& Statement(size_t s) const { return scop_.statements[loop_.statements[s].index]; }
  int LineOf() const { return Statement(0).proto->line(); }
  // Of the last time tile, from 0.
  int64_t LastTile() const { return (loop_.last - loop_.first) / shape_.steps; }

  // `name`, with underscores where iterators could be mistaken for a name that is taken.
  std::string Unused(const std::string& name) const { return UnusedPrefix(name, names_); }
  // The array's name, which may become longer.
  std::string AddArray(const std::string& name, const v1::Array& like, const std::vector<int64_t>& extents);
  void AddTurns(const std::string& array);

  // { [a] }: all elements that the loop's statements access.
  isl::set UsedElements(const std::string& array) const;
  // { S[x] -> [t, e] } the other way round; nothing when it is not affine.
  std::optional<isl::multi_aff> InstanceAt(size_t s) const;

  // Iterators of the array's elements.
  std::vector<std::string> PlaceIterators() const;
  // Statements that copy `elements`, { [a] }, of the array into both copies before the loop; and those that
  // what comes after it needs from the copy that the last time tile has written.
  void CopyIn(const std::string& array, const isl::set& elements);
  void CopyOut(const TiledArray& array);

  static std::vector<std::string> Joined(std::vector<std::string> first,
                                         const std::vector<std::string>& second);
  // The schedule of the scop with `tiles` between the copies in place of the loop.
  v1::Scop Finish(const isl::schedule& schedule, const isl::schedule& tiles);

  const ParsedScop& scop_;
  const StencilLoop& loop_;
  const TileShape& shape_;
  const isl::set values_;
  const int dimensions_;
  v1::Scop result_;
  std::map<std::string, std::string> turn_names_;  // by array

 private:
  // Of the loop, in the given scop.
  isl::union_set OriginalDomains() const;

  std::set<std::string> names_;     // C identifiers that are taken
  const std::string place_, turn_;  // prefixes of iterators
  std::vector<isl::set> before_, after_;
};

}  // namespace tune
