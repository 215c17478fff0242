#include "common/mapping/local_copies.h"

#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/thread_nest.h"

namespace tune {
namespace {

// { [p] }: values of the loops above the node under which `instances` run, in few pieces: code generation
// handles each by itself.
isl::set Prefixes(const isl::schedule_node& node, const isl::union_set& instances) {
  const isl::union_map prefix = node.prefix_schedule_union_map();
  return prefix.intersect_domain(instances).range().as_set().coalesce();
}

isl::map NamedDomain(const isl::map& map, const std::string& name) {
  return WithTupleName(map, isl_dim_in, name);
}

isl::map NamedRange(const isl::map& map, const std::string& name) {
  return WithTupleName(map, isl_dim_out, name);
}

// { tile[w] -> A }: the elements that the tile's references of `instances` stand for.
isl::union_map Elements(const BlockOfKernel& block, const isl::union_set& instances, const LocalTile& tile,
                        const LocalMemory& memory) {
  isl::union_map all = isl::union_map::empty(instances.ctx());
  for (const ReferenceName& reference : tile.references) {
    const isl::map place(memory.references.at(reference).as_map());  // S -> tile[w]
    const isl::map element = block.scop->statement(reference.first).accesses[reference.second].relation;
    const isl::union_map points = isl::union_map(NamedRange(place, tile.name)).intersect_domain(instances);
    all = all.unite(points.reverse().apply_range(isl::union_map(element)));
  }
  return all;
}

// The tile in registers that holds the array's elements themselves; null when there is none.
const LocalTile* FindRegisters(const LocalMemory& memory, const std::string& array) {
  for (const LocalTile& tile : memory.tiles) {
    if (tile.array == array && !tile.shared && tile.combined_by == v1::NONE) return &tile;
  }
  return nullptr;
}

// One loop a dimension of `instances`, which are the points of a tile, on the graft.
isl::schedule_node PointLoops(isl::schedule_node graft, const isl::set& instances,
                              const std::vector<int64_t>& extents) {
  graft = graft.child(0);
  const int dimensions = static_cast<int>(extents.size());
  for (int i = dimensions - 1; i >= 0; --i) {
    const isl::pw_aff index = isl::pw_aff(VariableOn(instances.space(), i));
    graft = InsertPointLoop(graft, isl::multi_union_pw_aff(isl::union_pw_aff(index)), extents[i],
                            /*outside_another=*/i < dimensions - 1);
  }
  while (graft.has_parent()) graft = graft.parent();
  return graft;
}

const char* NameOf(CopyStatement::Kind kind) {
  switch (kind) {
    case CopyStatement::Kind::kLoad:
      return "Load";
    case CopyStatement::Kind::kStore:
      return "Store";
    default:
      return "Accumulate";
  }
}

// { [p] -> Name[p] }: one instance of a statement of all threads wherever the loops above `mark` run
// `domain`.
isl::map ForAllThreads(const isl::schedule_node& mark, const isl::union_set& domain,
                       const std::string& name) {
  const isl::set prefixes = Prefixes(mark, domain);
  return NamedRange(prefixes.identity(), name);
}

}  // namespace

isl::schedule_node InsertFill(const isl::schedule_node& mark, const isl::union_set& domain,
                              LocalMemory* memory) {
  CopyStatement fill;
  fill.kind = CopyStatement::Kind::kFillShared;
  fill.name = absl::StrCat("Fill", memory->copies.size());
  const isl::map extension = ForAllThreads(mark, domain, fill.name);      // [p] -> Fill[p]
  const isl::pw_multi_aff place = extension.reverse().as_pw_multi_aff();  // Fill[p] -> [p]
  for (const LocalTile& tile : memory->tiles) {
    if (tile.shared) fill.places.push_back(isl::pw_multi_aff(*tile.first).pullback(place));
  }
  memory->copies.push_back(std::move(fill));
  return mark.graft_before(isl::schedule_node::from_extension(isl::union_map(extension)));
}

isl::schedule_node InsertCopies(const isl::schedule_node& mark, const BlockOfKernel& block,
                                const isl::union_set& instances, const isl::set& where, int tile,
                                CopyStatement::Kind kind, LocalMemory* memory) {
  const LocalTile& registers = memory->tiles[tile];
  CopyStatement copy;
  copy.kind = kind;
  copy.tile = tile;
  copy.atomic = kind == CopyStatement::Kind::kAccumulate && block.plan->threads.HasSplitReduction();
  copy.name = absl::StrCat(NameOf(kind), memory->copies.size());
  const isl::union_map elements = Elements(block, instances, registers, *memory);
  if (elements.is_empty()) return mark;  // the part does not touch the array
  const isl::map element = NamedDomain(elements.as_map(), copy.name).intersect_params(where);  // Copy[w] -> A
  const isl::set points = element.domain();                                                    // { Copy[w] }
  copy.places = {element.as_pw_multi_aff(), NamedRange(points.identity(), registers.name).as_pw_multi_aff()};
  const LocalTile* const sum =
      kind == CopyStatement::Kind::kAccumulate ? FindRegisters(*memory, registers.array) : nullptr;
  if (sum != nullptr) copy.places[0] = NamedRange(points.identity(), sum->name).as_pw_multi_aff();
  const isl::map extension = MapFromDomainAndRange(Prefixes(mark, instances), points);  // [p] -> Copy[w]
  const isl::schedule_node graft =
      PointLoops(isl::schedule_node::from_extension(isl::union_map(extension)), points, registers.extents);
  memory->copies.push_back(std::move(copy));
  return kind == CopyStatement::Kind::kLoad ? mark.graft_before(graft) : mark.graft_after(graft);
}

isl::schedule_node InsertCombine(const isl::schedule_node& mark, const isl::union_set& domain,
                                 LocalMemory* memory) {
  CopyStatement combine;
  combine.kind = CopyStatement::Kind::kCombine;
  combine.name = absl::StrCat("Combine", memory->copies.size());
  const isl::map extension = ForAllThreads(mark, domain, combine.name);
  memory->copies.push_back(std::move(combine));
  return mark.graft_after(isl::schedule_node::from_extension(isl::union_map(extension)));
}

}  // namespace tune
