#include "worker/mapping/promotion.h"

#include <algorithm>
#include <optional>
#include <set>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "worker/mapping/instance_function.h"

namespace tune {
namespace {

// References to one array whose elements share a tile.
struct Group {
  const v1::Array* array;
  std::vector<ReferenceName> references;
  std::vector<isl::union_map> accesses;  // parallel, { S -> A } on the block's instances
  isl::map footprint;                    // { [p] -> A }
  bool by_rows = true;                   // threads that are neighbours along x touch one row
  isl::multi_aff offset;                 // { [p] -> A[first] }
  std::vector<int64_t> extents;

  int64_t Elements() const {
    int64_t elements = 1;
    for (const int64_t extent : extents) elements *= extent;
    return elements;
  }
  // Of a row of the tile, with its padding: neighbours that read down a column need an odd length, so that
  // they meet in different banks; else rows start where several elements can be read at once.
  int64_t RowLength() const {
    if (extents.size() < 2 || extents.back() == 1) return extents.back();
    const int64_t at_once =
        std::max<int64_t>(1, kTileAlignment / static_cast<int64_t>(ElementSize(array->element_type())));
    return by_rows ? (extents.back() + at_once - 1) / at_once * at_once : extents.back() | 1;
  }
  int64_t Bytes() const {
    return AlignedBytes(Elements() / extents.back() * RowLength() *
                        static_cast<int64_t>(ElementSize(array->element_type())));
  }
};

// Finds the smallest box of constant size around the group's footprint; false when there is none.
bool FitBox(Group* group) {
  const isl::fixed_box box = group->footprint.range_simple_fixed_box_hull();
  if (!box.is_valid()) return false;
  group->offset = box.offset();
  const isl::multi_val size = box.size();
  group->extents.clear();
  for (unsigned i = 0; i < size.size(); ++i) group->extents.push_back(size.at(i).num_si());
  return true;
}

// { S -> A } of the reference, on the block's instances.
isl::union_map Access(const BlockInstances& block, const std::string& statement, size_t access) {
  return isl::union_map(block.scop->statement(statement).accesses[access].relation)
      .intersect_domain(block.domain);
}

// Whether what threads that are neighbours along x touch differs in the last subscript alone.
bool TouchesRows(const BlockInstances& block, const isl::union_map& access) {
  const isl::union_map step = access.reverse().apply_range(block.next_lane).apply_range(access);  // A -> A
  bool rows = true;
  step.foreach_map([&](const isl::map& map) {
    const isl::set distance = map.deltas();
    const int last = static_cast<int>(isl_set_dim(distance.get(), isl_dim_set)) - 1;
    for (int i = 0; i < last; ++i)
      rows = rows && isl::manage(isl_set_plain_get_val_if_fixed(distance.get(), isl_dim_set, i)).is_zero();
  });
  return rows;
}

std::set<std::string> WrittenArrays(const BlockInstances& block) {
  std::set<std::string> written;
  for (const std::string& name : block.statements) {
    for (const ParsedAccess& access : block.scop->statement(name).accesses) {
      if (access.writes()) written.insert(access.array);
    }
  }
  return written;
}

// One group for each reference to `array` that can have a tile.
std::vector<Group> SingleGroups(const BlockInstances& block, const v1::Array& array) {
  std::vector<Group> groups;
  for (const std::string& name : block.statements) {
    const ParsedStatement& statement = block.scop->statement(name);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (statement.accesses[a].array != array.name()) continue;
      const isl::union_map access = Access(block, name, a);
      if (access.is_empty()) continue;
      Group group;
      group.array = &array;
      group.references = {{name, static_cast<int>(a)}};
      group.accesses = {access};
      group.footprint = block.prefix.reverse().apply_range(access).as_map();
      if (FitBox(&group)) groups.push_back(std::move(group));
    }
  }
  return groups;
}

// The box around both groups' boxes, which stand at constant distances; false when they do not.
bool JoinBoxes(const Group& other, Group* group) {
  const isl::multi_aff distances = other.offset.sub(group->offset);
  isl::multi_aff offset = group->offset;
  std::vector<int64_t> extents;
  for (unsigned i = 0; i < distances.size(); ++i) {
    const isl::aff distance = distances.at(static_cast<int>(i));
    if (!distance.is_cst() || !distance.constant_val().is_int()) return false;
    const int64_t begin = distance.constant_val().num_si();
    if (begin < 0) offset = offset.set_at(static_cast<int>(i), other.offset.at(static_cast<int>(i)));
    extents.push_back(std::max(group->extents[i], begin + other.extents[i]) - std::min<int64_t>(0, begin));
  }
  group->offset = offset;
  group->extents = std::move(extents);
  return true;
}

// Joins groups where one box is no larger than two.
void MergeGroups(std::vector<Group>* groups) {
  for (size_t i = 0; i < groups->size(); ++i) {
    for (size_t j = i + 1; j < groups->size();) {
      Group joint = (*groups)[i];
      joint.footprint = joint.footprint.unite((*groups)[j].footprint);
      if ((JoinBoxes((*groups)[j], &joint) || FitBox(&joint)) &&
          joint.Elements() <= (*groups)[i].Elements() + (*groups)[j].Elements()) {
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

// Whether an element is read by several instances between two fillings.
bool IsReused(const BlockInstances& block, const Group& group) {
  if (group.references.size() > 1) return true;
  const isl::union_map place =  // { S -> [[p] -> A] }
      block.prefix.intersect_domain(block.domain).range_product(group.accesses[0]);
  return !place.is_injective();
}

// { S -> tile[element - first] } of the group's reference with that number.
isl::pw_multi_aff SharedPlace(const BlockInstances& block, const Group& group, size_t reference,
                              const std::string& tile) {
  const isl::map access = group.accesses[reference].as_map();
  const isl::union_set instances = isl::union_set(access.domain());
  const isl::map prefix = block.prefix.intersect_domain(instances).as_map();  // S -> [p]
  const isl::pw_multi_aff first =
      isl::pw_multi_aff(group.offset).pullback(prefix.as_pw_multi_aff());  // S -> A[first]
  const isl::pw_multi_aff index = access.as_pw_multi_aff().sub(first);
  return index.set_range_tuple(tile);
}

// Whether no point writes a copy, { [m] -> A }, to the element of another. To its own it writes what is
// there.
bool CopiesStayApart(const isl::union_map& copied, const isl::union_map& elements) {
  if (copied.is_empty()) return true;
  const isl::union_map all = copied.apply_range(elements.reverse());
  if (all.is_empty()) return true;
  const isl::map meetings = all.as_map();  // [m] -> [m']
  return meetings.is_subset(isl::manage(isl_map_identity(isl_map_get_space(meetings.get()))));
}

// One element for each point of a thread.
void AddRegisterTile(const BlockInstances& block, const std::string& array, const std::string& name,
                     const std::vector<ReferenceName>& references, LocalMemory* memory) {
  LocalTile tile;
  tile.array = array;
  tile.name = name;
  tile.extents = block.point_extents;
  tile.row_length = tile.extents.empty() ? 1 : tile.extents.back();
  for (const ReferenceName& reference : references) {
    const isl::union_map access = Access(block, reference.first, reference.second);
    if (access.is_empty()) continue;
    const isl::map points = block.points.intersect_domain(access.domain()).as_map();  // S -> [w]
    tile.references.push_back(reference);
    memory->references.insert_or_assign(reference, points.set_range_tuple(name).as_pw_multi_aff());
  }
  memory->tiles.push_back(std::move(tile));
}

isl::union_map FlatProduct(const isl::union_map& left, const isl::union_map& right) {
  return isl::manage(isl_union_map_flat_range_product(left.copy(), right.copy()));
}

// { S -> S' } where the values of all members are the same, but for that of x: the one for the next thread.
isl::union_map NextLane(const BlockOfKernel& block, const isl::union_set& domain) {
  if (block.plan->threads.axes.empty()) return isl::union_map::empty(domain.ctx());
  const int members = block.MemberCount();
  const CudaAxis& x = block.Axis(0);
  const int64_t step = x.blocked ? x.tile / x.block : 1;
  std::vector<std::string> from, to;
  for (int m = 0; m < members; ++m) {
    from.push_back(absl::StrCat("m", m));
    to.push_back(absl::StrCat("m", m, m == x.member ? absl::StrCat(" + ", step) : ""));
  }
  const isl::union_map values = isl::union_map::from(block.members).intersect_domain(domain);  // S -> [m]
  const isl::union_map next(
      domain.ctx(), absl::StrCat("{ [", absl::StrJoin(from, ", "), "] -> [", absl::StrJoin(to, ", "), "] }"));
  return values.apply_range(next).apply_range(values.reverse());
}

}  // namespace

bool IsCopyWithin(const ParsedStatement& statement) {
  const v1::Expression& value = statement.proto->value();
  return statement.proto->update() == v1::NONE && value.kind_case() == v1::Expression::kAccess &&
         value.access() != statement.proto->target() &&
         statement.accesses[value.access()].array == statement.target().array;
}

BlockInstances InstancesOfBlock(const BlockOfKernel& block, const std::vector<std::string>& statements,
                                const isl::union_set& domain) {
  BlockInstances instances;
  instances.scop = block.scop;
  instances.statements = statements;
  instances.domain = domain;
  if (block.plan->Get<SharedTiles>().on) instances.next_lane = NextLane(block, domain);
  instances.filled_by_others = block.plan->threads.HasHelpers();
  const isl::union_map nowhere = isl::union_map::from_domain(domain);  // { S -> [] }
  instances.mapped = instances.points = nowhere;
  for (const CudaAxis& axis : block.plan->threads.axes) {
    if (axis.reduction) continue;
    instances.mapped =
        FlatProduct(instances.mapped, block.Member(axis.member).as_union_map().intersect_domain(domain));
    if (!axis.HasPoints()) continue;
    instances.points =
        FlatProduct(instances.points, block.Point(axis).as_union_map().intersect_domain(domain));
    instances.point_extents.push_back(axis.tile / axis.block);
  }
  return instances;
}

std::vector<SharedTileOffset> PromoteToShared(const BlockInstances& block, int64_t most_bytes,
                                              LocalMemory* memory) {
  const std::set<std::string> written = WrittenArrays(block);
  std::vector<Group> chosen;
  for (const v1::Array& array : block.scop->proto.arrays()) {
    if (array.extents_size() == 0 || written.count(array.name()) > 0) continue;
    std::vector<Group> groups = SingleGroups(block, array);
    MergeGroups(&groups);
    for (Group& group : groups) {
      if (group.Elements() <= 1 || !(block.filled_by_others || IsReused(block, group))) continue;
      group.by_rows = std::all_of(group.accesses.begin(), group.accesses.end(),
                                  [&](const isl::union_map& access) { return TouchesRows(block, access); });
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
  std::vector<SharedTileOffset> offsets;
  for (const Group& group : chosen) {
    LocalTile tile;
    tile.array = group.array->name();
    tile.name = absl::StrCat(tile.array, "_shared", memory->tiles.size());
    tile.extents = group.extents;
    tile.shared = true;
    tile.row_length = group.RowLength();
    for (size_t i = 0; i < group.references.size(); ++i)
      memory->references.emplace(group.references[i], SharedPlace(block, group, i, tile.name));
    memory->tiles.push_back(std::move(tile));
    offsets.push_back({group.offset});
  }
  return offsets;
}

void PromoteToRegisters(const BlockInstances& block, const isl::union_set& own_instances,
                        LocalMemory* memory) {
  for (const std::string& name : WrittenArrays(block)) {
    isl::union_map own = isl::union_map::empty(block.domain.ctx());  // { S -> A }, references in registers
    isl::union_map copied = own;                                     // those that copies out of them write
    std::vector<ReferenceName> references;
    for (const std::string& statement : block.statements) {
      const ParsedStatement& parsed = block.scop->statement(statement);
      for (size_t a = 0; a < parsed.accesses.size(); ++a) {
        if (parsed.accesses[a].array != name) continue;
        const bool copy = IsCopyWithin(parsed) && static_cast<int>(a) == parsed.proto->target();
        isl::union_map& side = copy ? copied : own;
        side = side.unite(Access(block, statement, a).intersect_domain(own_instances));
        if (!copy) references.emplace_back(statement, static_cast<int>(a));
      }
    }
    if (own.is_empty()) continue;
    const isl::union_map elements = block.mapped.reverse().apply_range(own);  // { [m] -> A }
    if (!elements.is_single_valued() || !elements.is_injective()) continue;
    if (!CopiesStayApart(block.mapped.reverse().apply_range(copied), elements)) continue;
    AddRegisterTile(block, name, name + "_registers", references, memory);
  }
}

void PromoteReduction(const BlockInstances& block, const KernelReduction& reduction, LocalMemory* memory) {
  struct Partial {
    std::string array;
    v1::UpdateOperator update;
    isl::union_map elements;  // { [m] -> A }
    std::vector<ReferenceName> references;
  };
  std::vector<Partial> partials;
  for (const std::string& name : reduction.reduced) {
    const ParsedStatement& statement = block.scop->statement(name);
    const int target = statement.proto->target();
    const isl::union_map access = Access(block, name, target);
    if (access.is_empty()) continue;
    const isl::union_map elements = block.mapped.reverse().apply_range(access);
    // Updates of one element add to one partial value.
    const auto same = std::find_if(partials.begin(), partials.end(), [&](const Partial& partial) {
      return partial.array == statement.accesses[target].array &&
             partial.update == statement.proto->update() &&
             partial.elements.unite(elements).is_single_valued();
    });
    if (same == partials.end()) {
      partials.push_back(
          {statement.accesses[target].array, statement.proto->update(), elements, {{name, target}}});
    } else {
      same->elements = same->elements.unite(elements);
      same->references.emplace_back(name, target);
    }
  }
  for (const Partial& partial : partials) {
    AddRegisterTile(block, partial.array, absl::StrCat(partial.array, "_partial", memory->tiles.size()),
                    partial.references, memory);
    memory->tiles.back().combined_by = partial.update;
  }
}

}  // namespace tune
