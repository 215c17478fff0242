#include "common/transform/register_rows/row_tiles.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/kernel/element_box.h"

namespace tune {
namespace {

// { S -> [values of the mapped members] }
isl::multi_union_pw_aff MappedMembers(const BlockOfKernel& block) {
  std::optional<isl::multi_union_pw_aff> mapped;
  for (const CudaAxis& axis : block.plan->threads.axes) {
    const isl::multi_union_pw_aff member(block.Member(axis.member));
    mapped = mapped ? mapped->flat_range_product(member) : member;
  }
  return *mapped;
}

// { S -> tile[place] }, without the dimensions in which there is one place.
isl::pw_multi_aff InRow(const isl::pw_multi_aff& place, const ElementBox& box, const std::string& tile) {
  isl::map row = place.as_map();
  for (int i = static_cast<int>(box.extents.size()) - 1; i >= 0; --i) {
    if (box.extents[i] == 1) row = ProjectOut(row, isl_dim_out, i, 1);
  }
  return row.set_range_tuple(tile).as_pw_multi_aff();
}

}  // namespace

void TurnIntoPoints(const BlockOfKernel& block, ThreadNest* nest) {
  const BlockInstances instances = InstancesOfBlock(block, block.kernel->statements, block.domain);
  const isl::multi_union_pw_aff mapped = MappedMembers(block);  // S -> [m]
  std::vector<ThreadLoop> points;
  for (const ThreadLoop& loop : nest->serial) {
    const isl::union_map values = block.Member(loop.member).as_union_map().intersect_domain(block.domain);
    const std::optional<ElementBox> box =
        BoxAround(instances.mapped.reverse().apply_range(values).as_map());  // [m] -> [v]
    if (!box) return;
    points.push_back({loop.member, loop.value.sub(Apply(mapped, box->first.at(0))), box->extents[0]});
  }
  nest->serial.clear();
  nest->points.insert(nest->points.end(), points.begin(), points.end());
}

void AddRowTile(const BlockInstances& block, const std::string& array,
                const std::vector<ReferenceName>& constant_reads, LocalMemory* memory) {
  std::vector<std::pair<ReferenceName, isl::map>> uses;            // { S -> A }
  isl::union_map all = isl::union_map::empty(block.domain.ctx());  // { S -> A }
  for (const std::string& statement : block.statements) {
    const std::vector<ParsedAccess>& accesses = block.scop->statement(statement).accesses;
    for (size_t a = 0; a < accesses.size(); ++a) {
      const ReferenceName reference(statement, static_cast<int>(a));
      const bool is_constant =
          std::find(constant_reads.begin(), constant_reads.end(), reference) != constant_reads.end();
      if (accesses[a].array != array || is_constant) continue;
      const isl::union_map use = block.Access(statement, a);
      if (use.is_empty()) continue;
      uses.emplace_back(reference, use.as_map());
      all = all.unite(use);
    }
  }
  if (uses.empty()) return;
  const std::optional<ElementBox> box =
      BoxAround(block.mapped.reverse().apply_range(all).as_map());  // [m] -> A
  if (!box) return;
  LocalTile tile;
  tile.array = array;
  tile.name = absl::StrCat(array, "_registers");
  for (const int64_t extent : box->extents) {
    if (extent > 1) tile.extents.push_back(extent);
  }
  tile.row_length = tile.extents.empty() ? 1 : tile.extents.back();
  for (const auto& [reference, use] : uses) {
    const isl::map thread = block.mapped.intersect_domain(isl::union_set(use.domain())).as_map();  // S -> [m]
    tile.references.push_back(reference);
    memory->references.insert_or_assign(reference, InRow(PlaceInBox(use, thread, *box), *box, tile.name));
  }
  memory->tiles.push_back(std::move(tile));
}

}  // namespace tune
