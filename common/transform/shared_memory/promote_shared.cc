#include "common/transform/shared_memory/promote_shared.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/element_box.h"
#include "common/program/half_terms.h"
#include "common/transform/joined_launches/joined_launches.h"
#include "common/transform/tensor_cores/tensor_cores.h"

namespace tune {
namespace {

constexpr int64_t kBanks = 32;               // of shared memory, of 4 bytes
constexpr int64_t kBytesFetchedAtOnce = 32;  // a sector of the device's memory

// References to one array whose elements share a tile.
struct Group {
  const v1::Array* array;
  std::vector<ReferenceName> references;
  std::vector<isl::union_map> accesses;  // parallel, { S -> A } on the block's instances
  isl::map footprint;                    // { [p] -> A }
  // What threads that are neighbours along x touch.
  enum class Neighbours { kInRow, kInColumn, kElsewhere };
  Neighbours neighbours = Neighbours::kInRow;
  int64_t length_in_warps = 0;  // LengthInWarps
  bool is_reused = false;       // elements are read more than once between two fillings
  ElementBox box;               // { [p] -> A[first] }

  // A column of the array is a row of the tile.
  bool Transposed() const { return neighbours == Neighbours::kInColumn; }
  std::vector<int64_t> TileExtents() const {
    std::vector<int64_t> of_tile = box.extents;
    if (Transposed()) std::swap(of_tile.back(), of_tile[of_tile.size() - 2]);
    return of_tile;
  }
  // Of a row of the tile, with its padding: rows start where several elements can be read at once. Threads
  // fill a transposed tile down its columns and neighbours that are elsewhere read other rows: of these an
  // odd length, in what is read at once or in elements, has several rows begin in different banks. Elements
  // that are read once are read one at a time.
  int64_t RowLength() const {
    const int64_t length = TileExtents().back();
    if (box.extents.size() < 2 || length == 1) return length;
    if (length_in_warps > 0)
      return length + (kBanks / 2 + length_in_warps - length % (kBanks / 2)) % (kBanks / 2);
    if (neighbours == Neighbours::kElsewhere || (Transposed() && !is_reused)) return length | 1;
    const int64_t at_once =
        std::max<int64_t>(1, kTileAlignment / static_cast<int64_t>(ElementSize(array->element_type())));
    const int64_t pieces = (length + at_once - 1) / at_once;
    return (Transposed() ? pieces | 1 : pieces) * at_once;
  }
  int64_t Bytes() const {
    return AlignedBytes(box.Elements() / TileExtents().back() * RowLength() *
                        static_cast<int64_t>(ElementSize(array->element_type())));
  }
};

// Finds the smallest box of constant size around the group's footprint; false when there is none.
bool FitBox(Group* group) {
  const std::optional<ElementBox> box = BoxAround(group->footprint);
  if (box) group->box = *box;
  return box.has_value();
}

// Whether what threads that are neighbours along x touch differs in no other subscript than that.
bool DifferIn(int subscript, const isl::union_map& next_lane, const isl::union_map& access) {
  const isl::union_map step = access.reverse().apply_range(next_lane).apply_range(access);  // A -> A
  bool alone = true;
  step.foreach_map([&](const isl::map& map) {
    const isl::set distance = map.deltas();
    for (int i = 0; i < Dimensions(distance, isl_dim_set); ++i)
      alone = alone && (i == subscript || PlainFixedValue(distance, isl_dim_set, i).is_zero());
  });
  return alone;
}

// { S -> S' } where the values of all members are the same, but for that of the axis: the one for the next
// thread.
isl::union_map NextThread(const BlockOfKernel& block, size_t axis, const isl::union_set& domain) {
  if (block.plan->threads.axes.size() <= axis) return isl::union_map::empty(domain.ctx());
  const int members = block.MemberCount();
  const CudaAxis& along = block.Axis(axis);
  std::vector<std::string> from, to;
  for (int m = 0; m < members; ++m) {
    from.push_back(absl::StrCat("m", m));
    to.push_back(absl::StrCat("m", m, m == along.member ? absl::StrCat(" + ", along.piece) : ""));
  }
  const isl::union_map values = isl::union_map::from(block.members).intersect_domain(domain);  // S -> [m]
  const isl::union_map next(
      domain.ctx(), absl::StrCat("{ [", absl::StrJoin(from, ", "), "] -> [", absl::StrJoin(to, ", "), "] }"));
  return values.apply_range(next).apply_range(values.reverse());
}

// Whether what threads that are neighbours touch may differ in the subscript.
bool DiffersIn(int subscript, const isl::union_map& next, const isl::union_map& access) {
  bool differs = false;
  access.reverse().apply_range(next).apply_range(access).foreach_map([&](const isl::map& map) {
    differs = differs || !PlainFixedValue(map.deltas(), isl_dim_set, subscript).is_zero();
  });
  return differs;
}

// What the length of rows is, modulo half of the banks, where warps compute products (warp_product.h); 0:
// they do not. Of halves they read 16 bytes of each of 8 rows at once: rows of an odd number of such pieces
// begin in different banks. Of floats such a warp reads at once two elements of each of 4 rows that are two
// apart, of 4 columns, where rows lie along x or y; and where they lie along the sum, of 4 rows that are
// neighbours. Either way its threads then read from different banks.
int64_t LengthInWarps(const BlockOfKernel& kernel, const Group& group, const isl::union_set& domain) {
  const TensorCoreProducts products = kernel.plan->Get<TensorCoreProducts>();
  if (!products.on() || group.box.extents.size() < 2) return 0;
  if (products.of == TensorCoreProducts::Of::kHalves) return kHalfRow;
  const int row = static_cast<int>(group.box.extents.size()) - (group.Transposed() ? 2 : 1);
  for (size_t axis = 0; axis < 2; ++axis) {
    const isl::union_map next = NextThread(kernel, axis, domain);
    for (const isl::union_map& access : group.accesses) {
      if (DiffersIn(row, next, access)) return 4;
    }
  }
  return 8;
}

// Of all references of the group. Warps load rows of halves that lie along any loop (half_terms.h).
Group::Neighbours NeighboursOf(const BlockOfKernel& kernel, const Group& group,
                               const isl::union_map& next_lane) {
  if (kernel.plan->Get<TensorCoreProducts>().of == TensorCoreProducts::Of::kHalves)
    return Group::Neighbours::kInRow;
  const int last = static_cast<int>(group.box.extents.size()) - 1;
  const auto differ_in = [&](int subscript) {
    return std::all_of(group.accesses.begin(), group.accesses.end(),
                       [&](const isl::union_map& access) { return DifferIn(subscript, next_lane, access); });
  };
  if (differ_in(last)) return Group::Neighbours::kInRow;
  return last > 0 && differ_in(last - 1) ? Group::Neighbours::kInColumn : Group::Neighbours::kElsewhere;
}

// One group for each of `references`, to `array`, that can have a tile.
std::vector<Group> SingleGroups(const BlockInstances& block, const v1::Array& array,
                                const std::vector<ReferenceName>& references) {
  std::vector<Group> groups;
  for (const ReferenceName& reference : references) {
    const auto& [name, access] = reference;
    if (block.scop->statement(name).accesses[access].array != array.name()) continue;
    const isl::union_map elements = block.Access(name, static_cast<size_t>(access));
    if (elements.is_empty()) continue;
    Group group;
    group.array = &array;
    group.references = {reference};
    group.accesses = {elements};
    group.footprint = block.prefix.reverse().apply_range(elements).as_map();
    if (FitBox(&group)) groups.push_back(std::move(group));
  }
  return groups;
}

// The box around both groups' boxes, which stand at constant distances; false when they do not.
bool JoinBoxes(const Group& other, Group* group) {
  const isl::multi_aff distances = other.box.first.sub(group->box.first);
  isl::multi_aff offset = group->box.first;
  std::vector<int64_t> extents;
  for (unsigned i = 0; i < distances.size(); ++i) {
    const isl::aff distance = distances.at(static_cast<int>(i));
    if (!distance.is_cst() || !distance.constant_val().is_int()) return false;
    const int64_t begin = distance.constant_val().num_si();
    if (begin < 0) offset = offset.set_at(static_cast<int>(i), other.box.first.at(static_cast<int>(i)));
    extents.push_back(std::max(group->box.extents[i], begin + other.box.extents[i]) -
                      std::min<int64_t>(0, begin));
  }
  group->box.first = offset;
  group->box.extents = std::move(extents);
  return true;
}

// Joins groups where one box is no larger than two.
void MergeGroups(std::vector<Group>* groups) {
  for (size_t i = 0; i < groups->size(); ++i) {
    for (size_t j = i + 1; j < groups->size();) {
      Group joint = (*groups)[i];
      joint.footprint = joint.footprint.unite((*groups)[j].footprint);
      if ((JoinBoxes((*groups)[j], &joint) || FitBox(&joint)) &&
          joint.box.Elements() <= (*groups)[i].box.Elements() + (*groups)[j].box.Elements()) {
        const Group& other = (*groups)[j];
        joint.references.insert(joint.references.end(), other.references.begin(), other.references.end());
        joint.accesses.insert(joint.accesses.end(), other.accesses.begin(), other.accesses.end());
        (*groups)[i] = std::move(joint);
        groups->erase(groups->begin() + static_cast<std::ptrdiff_t>(j));
        j = i + 1;
      } else {
        ++j;
      }
    }
  }
}

// { A }: what the launch of the block writes in other kernels, where it joins several.
isl::union_set WrittenInOthers(const BlockOfKernel& block) {
  return block.plan->Get<JoinedKernel>().on ? block.written_beside()
                                            : isl::union_set::empty(block.domain.ctx());
}

// { A }: what the launch of the block writes of the array. `in_others`: WrittenInOthers.
isl::union_set WrittenInLaunch(const BlockOfKernel& block, const isl::union_set& in_others,
                               const std::string& array) {
  isl::union_set written = isl::union_set::empty(block.domain.ctx());
  in_others.foreach_set([&](const isl::set& set) {
    if (TupleName(set) == array) written = written.unite(isl::union_set(set));
  });
  for (const std::string& name : block.kernel->statements) {
    const ParsedStatement& statement = block.scop->statement(name);
    isl::union_set instances(statement.domain);
    if (block.launch) instances = instances.intersect(*block.launch);
    for (const ParsedAccess& access : statement.accesses) {
      if (access.writes() && access.array == array)
        written = written.unite(instances.apply(isl::union_map(access.relation)));
    }
  }
  return written.intersect_params(block.context);
}

// Whether the tile is filled with elements that the launch writes, be they such that nothing reads there.
bool HoldsWritten(const BlockOfKernel& block, const isl::union_set& in_others, const Group& group) {
  const isl::union_set written = WrittenInLaunch(block, in_others, group.array->name());
  if (written.is_empty()) return false;
  const isl::map first = group.box.first.as_map().intersect_domain(group.footprint.domain());  // [p] -> A
  const isl::map filled = first.apply_range(Windows(first.range().space(), group.box.extents));
  return !isl::union_set(filled.range()).is_disjoint(written);
}

// Whether an element is read by several instances between two fillings.
bool IsReused(const BlockInstances& block, const Group& group) {
  if (group.references.size() > 1) return true;
  const isl::union_map place =  // { S -> [[p] -> A] }
      block.prefix.intersect_domain(block.domain).range_product(group.accesses[0]);
  return !place.is_injective();
}

// Whether threads that are neighbours along x touch a column of which the tile has more beside it: what is
// fetched of memory with an element is then what others need.
bool IsReadAcross(const Group& group) {
  return group.Transposed() &&
         group.box.extents.back() * static_cast<int64_t>(ElementSize(group.array->element_type())) >=
             kBytesFetchedAtOnce;
}

// { S -> tile[element - first] } of the group's reference with that number.
isl::pw_multi_aff SharedPlace(const BlockInstances& block, const Group& group, size_t reference,
                              const std::string& tile) {
  const isl::map access = group.accesses[reference].as_map();
  const isl::union_set instances = isl::union_set(access.domain());
  const isl::map prefix = block.prefix.intersect_domain(instances).as_map();  // S -> [p]
  const isl::pw_multi_aff index = PlaceInBox(access, prefix, group.box);
  const isl::pw_multi_aff place =
      group.Transposed() ? WithLastExchanged(index.as_map()).as_pw_multi_aff() : index;
  return place.set_range_tuple(tile);
}

}  // namespace

void PromoteToShared(const BlockOfKernel& kernel, const BlockInstances& block, int64_t most_bytes,
                     LocalMemory* memory) {
  const isl::union_map next_lane = NextThread(kernel, /*axis=*/0, block.domain);
  const isl::union_set in_others = WrittenInOthers(kernel);
  std::vector<Group> chosen;
  for (const v1::Array& array : block.scop->proto.arrays()) {
    std::vector<Group> groups = SingleGroups(block, array, kernel.kernel->constant_reads);
    MergeGroups(&groups);
    for (Group& group : groups) {
      if (HoldsWritten(kernel, in_others, group)) continue;
      if (group.box.Elements() <= 1) continue;
      group.neighbours = NeighboursOf(kernel, group, next_lane);
      group.is_reused = IsReused(block, group);
      if (!kernel.plan->threads.HasHelpers() && !group.is_reused && !IsReadAcross(group)) continue;
      group.length_in_warps = LengthInWarps(kernel, group, block.domain);
      chosen.push_back(std::move(group));
    }
  }
  const auto total = [&] {
    int64_t bytes = 0;
    for (const Group& group : chosen) bytes += group.Bytes();
    return bytes;
  };
  // All references run about as often: a tile's benefit is their number.
  const auto costs_more = [](const Group& a, const Group& b) {
    return a.Bytes() * static_cast<int64_t>(b.references.size()) >
           b.Bytes() * static_cast<int64_t>(a.references.size());
  };
  while (total() > most_bytes) chosen.erase(std::min_element(chosen.begin(), chosen.end(), costs_more));
  for (const Group& group : chosen) {
    LocalTile tile;
    tile.array = group.array->name();
    tile.name = absl::StrCat(tile.array, "_shared", memory->tiles.size());
    tile.extents = group.TileExtents();
    tile.transposed = group.Transposed();
    tile.shared = true;
    tile.row_length = group.RowLength();
    tile.first = group.box.first;
    for (size_t i = 0; i < group.references.size(); ++i)
      memory->references.emplace(group.references[i], SharedPlace(block, group, i, tile.name));
    memory->tiles.push_back(std::move(tile));
  }
}

}  // namespace tune
