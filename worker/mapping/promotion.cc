#include "worker/mapping/promotion.h"

#include <algorithm>
#include <optional>
#include <set>

#include "common/array/element_type.h"

namespace tune {
namespace {

// References to one array whose elements share a tile.
struct Group {
  const v1::Array* array;
  std::vector<ReferenceName> references;
  isl::map footprint;  // { [p] -> A }
  bool reuse = false;
  isl::multi_aff offset;  // { [p] -> A[first] }
  std::vector<int64_t> extents;

  int64_t Elements() const {
    int64_t elements = 1;
    for (const int64_t extent : extents) elements *= extent;
    return elements;
  }
  // Of a row of the tile, with its padding.
  int64_t RowLength() const { return extents.size() > 1 ? extents.back() | 1 : extents.back(); }
  int64_t Bytes() const {
    return Elements() / extents.back() * RowLength() *
           static_cast<int64_t>(ElementSize(array->element_type()));
  }
};

int64_t ToInt(const isl::val& value) { return isl_val_get_num_si(value.get()); }

// Finds the smallest box of constant size around the group's footprint; false when there is none.
bool FitBox(Group* group) {
  const isl::fixed_box box = isl::manage(isl_map_get_range_simple_fixed_box_hull(group->footprint.get()));
  if (!isl_fixed_box_is_valid(box.get())) return false;
  group->offset = isl::manage(isl_fixed_box_get_offset(box.get()));
  const isl::multi_val size = isl::manage(isl_fixed_box_get_size(box.get()));
  group->extents.clear();
  for (unsigned i = 0; i < size.size(); ++i) group->extents.push_back(ToInt(size.at(i)));
  return true;
}

// { S -> A } of the reference, on the block's instances.
isl::union_map Access(const BlockInstances& block, const std::string& statement, size_t access) {
  return isl::union_map(block.scop->statement(statement).accesses[access].relation)
      .intersect_domain(block.domain);
}

bool Empty(const isl::union_map& map) { return isl_union_map_is_empty(map.get()) != isl_bool_false; }

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
      if (Empty(access)) continue;
      Group group;
      group.array = &array;
      group.references = {{name, static_cast<int>(a)}};
      group.footprint = block.prefix.reverse().apply_range(access).as_map();
      // { S -> [[p] -> A] }: an element is read by several instances between two fillings
      const isl::union_map place = block.prefix.intersect_domain(block.domain).range_product(access);
      group.reuse = !isl_union_map_is_injective(place.get());
      if (FitBox(&group)) groups.push_back(std::move(group));
    }
  }
  return groups;
}

// Joins groups where one box is no larger than two.
void MergeGroups(std::vector<Group>* groups) {
  for (size_t i = 0; i < groups->size(); ++i) {
    for (size_t j = i + 1; j < groups->size();) {
      Group joint = (*groups)[i];
      joint.footprint = joint.footprint.unite((*groups)[j].footprint);
      joint.reuse = true;
      if (FitBox(&joint) && joint.Elements() <= (*groups)[i].Elements() + (*groups)[j].Elements()) {
        joint.references.insert(joint.references.end(), (*groups)[j].references.begin(),
                                (*groups)[j].references.end());
        (*groups)[i] = std::move(joint);
        groups->erase(groups->begin() + static_cast<std::ptrdiff_t>(j));
        j = i + 1;
      } else {
        ++j;
      }
    }
  }
}

// { S -> tile[element - first] }
isl::pw_multi_aff SharedPlace(const BlockInstances& block, const ReferenceName& reference, const Group& group,
                              const std::string& tile) {
  const isl::map access = Access(block, reference.first, reference.second).as_map();
  const isl::union_set instances = isl::union_set(access.domain());
  const isl::map prefix = block.prefix.intersect_domain(instances).as_map();  // S -> [p]
  const isl::pw_multi_aff first =
      isl::pw_multi_aff(group.offset).pullback(prefix.as_pw_multi_aff());  // S -> A[first]
  const isl::pw_multi_aff index = access.as_pw_multi_aff().sub(first);
  isl_id* const id = isl_id_alloc(index.ctx().get(), tile.c_str(), nullptr);
  return isl::manage(isl_pw_multi_aff_set_tuple_id(index.copy(), isl_dim_out, id));
}

}  // namespace

void PromoteToShared(const BlockInstances& block, int64_t most_bytes, LocalMemory* memory) {
  const std::set<std::string> written = WrittenArrays(block);
  std::vector<Group> chosen;
  for (const v1::Array& array : block.scop->proto.arrays()) {
    if (array.extents_size() == 0 || written.count(array.name()) > 0) continue;
    std::vector<Group> groups = SingleGroups(block, array);
    MergeGroups(&groups);
    for (Group& group : groups) {
      if (group.reuse && group.Elements() > 1) chosen.push_back(std::move(group));
    }
  }
  const auto total = [&] {
    int64_t bytes = 0;
    for (const Group& group : chosen) bytes += group.Bytes();
    return bytes;
  };
  while (total() > most_bytes) {
    chosen.erase(std::max_element(chosen.begin(), chosen.end(),
                                  [](const Group& a, const Group& b) { return a.Bytes() < b.Bytes(); }));
  }
  for (const Group& group : chosen) {
    LocalTile tile{group.array->name(), absl::StrCat(group.array->name(), "_shared", memory->tiles.size()),
                   group.extents, /*shared=*/true, group.RowLength()};
    for (const ReferenceName& reference : group.references)
      memory->references.emplace(reference, SharedPlace(block, reference, group, tile.name));
    memory->tiles.push_back(std::move(tile));
    // The offsets are kept here until the mapper makes the statements that fill the tiles.
    CopyStatement fill;
    fill.kind = CopyStatement::Kind::kFillShared;
    fill.tile = static_cast<int>(memory->tiles.size()) - 1;
    fill.places = {isl::pw_multi_aff(group.offset)};
    memory->copies.push_back(std::move(fill));
  }
}

void PromoteToRegisters(const BlockInstances& block, LocalMemory* memory) {
  for (const std::string& name : WrittenArrays(block)) {
    isl::union_map accesses = isl::union_map::empty(block.domain.ctx());  // { S -> A }
    std::vector<ReferenceName> references;
    for (const std::string& statement : block.statements) {
      const auto& all = block.scop->statement(statement).accesses;
      for (size_t a = 0; a < all.size(); ++a) {
        if (all[a].array != name) continue;
        accesses = accesses.unite(Access(block, statement, a));
        references.emplace_back(statement, static_cast<int>(a));
      }
    }
    if (Empty(accesses)) continue;
    const isl::union_map elements = block.mapped.reverse().apply_range(accesses);  // { [m] -> A }
    if (!isl_union_map_is_single_valued(elements.get()) || !isl_union_map_is_injective(elements.get()))
      continue;
    const std::vector<int64_t>& extents = block.point_extents;
    const LocalTile tile{name, name + "_registers", extents, /*shared=*/false,
                         extents.empty() ? 1 : extents.back()};
    for (const ReferenceName& reference : references) {
      const isl::union_map access = Access(block, reference.first, reference.second);
      if (Empty(access)) continue;
      const isl::map points = block.points.intersect_domain(access.domain()).as_map();  // S -> [w]
      memory->references.emplace(
          reference, isl::manage(isl_map_set_tuple_name(points.copy(), isl_dim_out, tile.name.c_str()))
                         .as_pw_multi_aff());
    }
    memory->tiles.push_back(tile);
  }
}

}  // namespace tune
