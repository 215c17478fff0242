#include "worker/mapping/block_of_kernel.h"

#include <algorithm>
#include <stdexcept>

#include "worker/mapping/instance_function.h"

namespace tune {

isl::union_pw_aff BlockOfKernel::Lane(const CudaAxis& axis) const {
  if (!axis.blocked) return Modulo(Member(axis.member), axis.block);
  return FloorDiv(Modulo(Member(axis.member), axis.tile), axis.tile / axis.block);
}

isl::union_pw_aff BlockOfKernel::Point(const CudaAxis& axis) const {
  if (axis.blocked) return Modulo(Member(axis.member), axis.tile / axis.block);
  return FloorDiv(Modulo(Member(axis.member), axis.tile), axis.block);
}

isl::union_set BlockOfKernel::AtPlaceOfThread(const isl::union_set& instances) const {
  isl::union_set thread = instances;
  for (size_t axis = 0; axis < plan->axes.size(); ++axis) {
    if (Axis(axis).reduction) continue;
    const isl::union_pw_aff lane = Lane(Axis(axis));
    thread = thread.intersect(WhereEqual(lane.intersect_domain(instances), absl::StrCat(thread_id, axis)));
  }
  return thread;
}

isl::union_set BlockOfKernel::OfThread(const isl::union_set& instances) const {
  const isl::union_set thread = AtPlaceOfThread(instances);
  if (!plan->HasReduction()) return thread;
  isl::union_set reduced = isl::union_set::empty(thread.ctx());
  for (const std::string& name : kernel->reduction->reduced)
    reduced = reduced.unite(isl::union_set(scop->statement(name).domain));
  const isl::union_set others = thread.subtract(reduced).intersect_params(FirstOfReduction());
  reduced = thread.intersect(reduced);
  for (size_t axis = 0; axis < plan->axes.size(); ++axis) {
    if (!Axis(axis).reduction) continue;
    const isl::union_pw_aff lane = Lane(Axis(axis));
    reduced = reduced.intersect(WhereEqual(lane.intersect_domain(reduced), absl::StrCat(thread_id, axis)));
  }
  return others.unite(reduced);
}

isl::set BlockOfKernel::FirstOfReduction() const {
  isl::set first = isl::manage(isl_set_universe(isl_space_params_alloc(domain.ctx().get(), 0)));
  for (size_t axis = 0; axis < plan->axes.size(); ++axis) {
    if (!Axis(axis).reduction) continue;
    first = first.intersect(
        isl::set(domain.ctx(), absl::StrCat("[", thread_id, axis, "] -> { : ", thread_id, axis, " = 0 }")));
  }
  return first;
}

std::optional<isl::schedule_node> FindMark(const isl::schedule_node& top, const std::string& name) {
  std::optional<isl::schedule_node> found;
  top.foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (found) return false;
    if (node.isa<isl::schedule_node_mark>() &&
        isl::manage(isl_schedule_node_mark_get_id(node.get())).name() == name) {
      found = node;
    }
    return !found.has_value();
  });
  return found;
}

isl::schedule_node FindKernel(const isl::schedule& tree, const std::string& name) {
  const std::optional<isl::schedule_node> mark = FindMark(tree.root(), name);
  if (!mark) throw std::logic_error(absl::StrCat("the tree has no kernel ", name));
  return mark->child(0);
}

}  // namespace tune
