#include "worker/parts/outermost_loop.h"

#include "absl/strings/str_cat.h"
#include "common/dependence/dependence.h"
#include "common/isl/same_value.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

absl::Status NoLoop(const ParsedScop& scop, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat(scop.proto.name(),
                   ": it has no outermost parallel loop, whose parts CPU and GPU could run at the same "
                   "time: ",
                   why));
}

// The first statement of `instances`, { S }, that computes something; null where none does.
const ParsedStatement* FirstAssignment(const ParsedScop& scop, const isl::union_set& instances) {
  const ParsedStatement* first = nullptr;
  instances.foreach_set([&](const isl::set& set) {
    const ParsedStatement& statement = scop.statement(TupleName(set));
    if (statement.kind == v1::Statement::KILL || set.is_empty()) return;
    if (first == nullptr || statement.proto->line() < first->proto->line()) first = &statement;
  });
  return first;
}

// Adds what is below the node, which no loop is around.
absl::Status AddLoops(const ParsedScop& scop, const isl::schedule_node& node, OutermostLoop* loop) {
  const isl::union_set instances = NodeDomain(node);
  if (node.isa<isl::schedule_node_band>() && node.as<isl::schedule_node_band>().n_member() > 0) {
    const isl::union_pw_aff value = node.as<isl::schedule_node_band>().partial_schedule().at(0);
    loop->value = loop->value.unite(value.as_union_map().intersect_domain(instances));
    ++loop->count;
    return absl::OkStatus();
  }
  if (node.isa<isl::schedule_node_leaf>()) {
    const ParsedStatement* const outside = FirstAssignment(scop, instances);
    if (outside == nullptr) return absl::OkStatus();
    return NoLoop(scop, absl::StrCat("the statement in line ", outside->proto->line(),
                                     " stands outside of loops; put it before or behind the region"));
  }
  for (unsigned i = 0; i < node.n_children(); ++i)
    TUNE_RETURN_IF_ERROR(AddLoops(scop, node.child(static_cast<int>(i)), loop));
  return absl::OkStatus();
}

// Of elements of the array.
isl::union_map Of(const isl::union_map& accesses, const std::string& array) {
  isl::union_map found = isl::union_map::empty(accesses.ctx());
  accesses.foreach_map([&](const isl::map& map) {
    if (TupleName(map, isl_dim_out) == array) found = found.unite(isl::union_map(map));
  });
  return found;
}

}  // namespace

absl::StatusOr<OutermostLoop> FindOutermostLoop(const ParsedScop& scop) {
  OutermostLoop loop{isl::union_map::empty(scop.domain.ctx())};
  TUNE_RETURN_IF_ERROR(AddLoops(scop, scop.schedule.root(), &loop));
  return loop;
}

absl::Status CheckIndependent(IslContext& context, const ParsedScop& scop, const OutermostLoop& loop) {
  const char* const remedy = loop.count > 1 ? "; one of its loops alone, as a region, may be parallel"
                                            : "; a loop inside of it, as a region, may be parallel";
  const isl::union_map same = SameValue(loop.value);  // { S -> S' }
  for (const v1::Array& array : scop.proto.arrays()) {
    if (array.declared_inside() || array.read_only()) continue;
    const isl::union_map writes = Of(scop.writes, array.name());  // { S -> A }
    const isl::union_map accesses = Of(scop.reads, array.name()).unite(writes);
    const isl::union_map others = accesses.apply_range(writes.reverse()).subtract(same);  // { S -> S' }
    if (others.is_empty()) continue;
    const ParsedStatement* const writer = FirstAssignment(scop, others.range());
    return NoLoop(scop, absl::StrCat("an iteration writes elements of ", array.name(), " (line ",
                                     writer->proto->line(), ") that another one reads or writes", remedy));
  }
  TUNE_ASSIGN_OR_RETURN(const Dependences dependences, ComputeDependences(context, scop));
  const isl::union_map carried = dependences.flow.subtract(same);  // of what the region declares
  if (carried.is_empty()) return absl::OkStatus();
  return NoLoop(scop, absl::StrCat("an iteration reads what another one computes in line ",
                                   FirstAssignment(scop, carried.domain())->proto->line(), remedy));
}

}  // namespace tune
