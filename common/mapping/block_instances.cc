#include "common/mapping/block_instances.h"

#include "common/isl/relations.h"

namespace tune {

isl::union_map BlockInstances::Access(const std::string& statement, size_t access) const {
  return isl::union_map(scop->statement(statement).accesses[access].relation).intersect_domain(domain);
}

std::set<std::string> BlockInstances::WrittenArrays() const {
  std::set<std::string> written;
  for (const std::string& name : statements) {
    for (const ParsedAccess& access : scop->statement(name).accesses) {
      if (access.writes()) written.insert(access.array);
    }
  }
  return written;
}

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
  const isl::union_map nowhere = isl::union_map::from_domain(domain);  // { S -> [] }
  instances.mapped = instances.points = nowhere;
  for (const CudaAxis& axis : block.plan->threads.axes) {
    if (axis.reduction) continue;
    instances.mapped =
        FlatRangeProduct(instances.mapped, block.Member(axis.member).as_union_map().intersect_domain(domain));
    for (const PointNumber& point : block.Points(axis)) {
      instances.points =
          FlatRangeProduct(instances.points, point.number.as_union_map().intersect_domain(domain));
      instances.point_extents.push_back(point.count);
    }
  }
  return instances;
}

void AddRegisterTile(const BlockInstances& block, const std::string& array, const std::string& name,
                     const std::vector<ReferenceName>& references, LocalMemory* memory) {
  LocalTile tile;
  tile.array = array;
  tile.name = name;
  tile.extents = block.point_extents;
  tile.row_length = tile.extents.empty() ? 1 : tile.extents.back();
  for (const ReferenceName& reference : references) {
    const isl::union_map access = block.Access(reference.first, reference.second);
    if (access.is_empty()) continue;
    const isl::map points = block.points.intersect_domain(access.domain()).as_map();  // S -> [w]
    tile.references.push_back(reference);
    memory->references.insert_or_assign(reference, points.set_range_tuple(name).as_pw_multi_aff());
  }
  memory->tiles.push_back(std::move(tile));
}

}  // namespace tune
