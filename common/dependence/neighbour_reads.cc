#include "common/dependence/neighbour_reads.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/isl/bounds.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"

namespace tune {
namespace {

using Offset = std::vector<int64_t>;

// Elements that are read, from `first` on, relative to what one of the reads has.
struct Box {
  isl::map tagged;  // { [S -> R] -> A }: the read of the first one
  Offset first, extents;
};

// One read as a function, { S -> A }; nothing where it is none in one piece.
std::optional<isl::multi_aff> FunctionOf(const isl::map& tagged) {
  const isl::map read = tagged.domain_factor_domain();  // S -> A
  if (!PlainIsSingleValued(read)) return std::nullopt;
  const isl::pw_multi_aff pieces = read.as_pw_multi_aff();
  std::optional<isl::multi_aff> function;
  int count = 0;
  pieces.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    function = piece;
    ++count;
  });
  return count == 1 ? function : std::nullopt;
}

// What to add to `from` for `to`, where that is the same everywhere.
std::optional<Offset> OffsetOf(const isl::multi_aff& from, const isl::multi_aff& to) {
  const isl::multi_aff apart = to.sub(from);
  Offset offset;
  for (unsigned d = 0; d < apart.size(); ++d) {
    const isl::pw_aff distance(apart.at(static_cast<int>(d)));
    if (!IsConstant(distance)) return std::nullopt;
    const isl::val constant = apart.at(static_cast<int>(d)).constant_val();
    if (!constant.is_int()) return std::nullopt;
    offset.push_back(constant.num_si());
  }
  return offset;
}

// Boxes that follow each other along the dimension, and are alike in all others, become one.
std::vector<Box> MergedAlong(size_t dimension, std::vector<Box> boxes) {
  std::map<std::pair<Offset, Offset>, std::map<int64_t, Box>> rows;  // but for the dimension; along it
  for (Box& box : boxes) {
    std::pair<Offset, Offset> others = {box.first, box.extents};
    const int64_t at = std::exchange(others.first[dimension], 0);
    others.second[dimension] = 0;
    rows[std::move(others)].emplace(at, std::move(box));
  }
  std::vector<Box> merged;
  for (auto& [others, row] : rows) {
    bool begins = true;
    for (auto& [at, box] : row) {
      if (!begins && merged.back().first[dimension] + merged.back().extents[dimension] == at)
        merged.back().extents[dimension] += box.extents[dimension];
      else
        merged.push_back(std::move(box));
      begins = false;
    }
  }
  return merged;
}

// Reads of one array by one statement, that many of them are at constant distances.
class NeighbourReads {
 public:
  // False where the read is of another kind than those before.
  bool Add(const isl::map& tagged) {
    const std::optional<isl::multi_aff> function = FunctionOf(tagged);
    if (!function) return false;
    if (!first_) {
      first_ = function;
      instances_ = InstancesOf(tagged);
    }
    const std::optional<Offset> offset = OffsetOf(*first_, *function);
    if (!offset || !InstancesOf(tagged).is_equal(instances_)) return false;
    points_.emplace(*offset, Box{tagged, *offset, Offset(offset->size(), 1)});
    return true;
  }

  bool empty() const { return points_.empty(); }

  // Precondition: not empty.
  isl::union_map Merged() const {
    std::vector<Box> boxes;
    for (const auto& [offset, box] : points_) boxes.push_back(box);
    for (size_t d = boxes[0].first.size(); d-- > 0;) boxes = MergedAlong(d, std::move(boxes));
    isl::union_map merged = isl::union_map::empty(first_->ctx());
    for (const Box& box : boxes) {
      const isl::space elements = box.tagged.space().range();
      merged = merged.unite(isl::union_map(box.tagged.apply_range(Windows(elements, box.extents))));
    }
    return merged;
  }

 private:
  static isl::set InstancesOf(const isl::map& tagged) { return tagged.domain_factor_domain().domain(); }

  std::optional<isl::multi_aff> first_;  // { S -> A }
  isl::set instances_;                   // { S }
  std::map<Offset, Box> points_;         // each element once
};

}  // namespace

isl::union_map WithMergedNeighbours(const isl::union_map& reads) {
  std::map<std::pair<std::string, std::string>, std::vector<isl::map>> groups;  // by statement and array
  reads.foreach_map([&](const isl::map& tagged) {
    const std::string statement = tagged.space().domain().unwrap().domain_tuple_id().name();
    groups[{statement, tagged.range_tuple_id().name()}].push_back(tagged);
  });
  isl::union_map result = isl::union_map::empty(reads.ctx());
  for (const auto& [names, group] : groups) {
    NeighbourReads neighbours;
    isl::union_map others = isl::union_map::empty(reads.ctx());
    for (const isl::map& tagged : group) {
      if (group.size() < kManyNeighbours || !neighbours.Add(tagged))
        others = others.unite(isl::union_map(tagged));
    }
    result = result.unite(others);
    if (!neighbours.empty()) result = result.unite(neighbours.Merged());
  }
  return result;
}

}  // namespace tune
