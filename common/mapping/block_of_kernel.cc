#include "common/mapping/block_of_kernel.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "common/isl/spaces.h"
#include "common/mapping/instance_function.h"
#include "common/mapping/mark_node.h"

namespace tune {

bool BlockOfKernel::HasSerialLoop() const {
  for (int m = 0; m < MemberCount(); ++m) {
    if (!plan->threads.IsMapped(m) && kernel->bands[0].trip_counts[m] != 1) return true;
  }
  return false;
}

isl::union_pw_aff BlockOfKernel::InTile(const CudaAxis& axis) const {
  const isl::union_pw_aff value = Member(axis.member);
  if (!axis.HasBlocks()) return value;
  size_t number = 0;
  while (Axis(number).member != axis.member) ++number;
  return MinusMultiple(value, axis.tile, absl::StrCat(block_id, number));
}

isl::union_pw_aff BlockOfKernel::Lane(const CudaAxis& axis) const {
  if (axis.tile == axis.block) return InTile(axis);
  const isl::union_pw_aff piece = axis.piece > 1 ? FloorDiv(InTile(axis), axis.piece) : InTile(axis);
  return axis.piece * axis.block == axis.tile ? piece : Modulo(piece, axis.block);
}

std::vector<PointNumber> BlockOfKernel::Points(const CudaAxis& axis) const {
  std::vector<PointNumber> points;
  if (axis.reduction && axis.piece > 1) points.push_back({Modulo(InTile(axis), axis.piece), axis.piece});
  if (!axis.HasPoints()) return points;
  const int64_t together = axis.piece * axis.block;  // consecutive values of which each thread has a piece
  if (together < axis.tile) points.push_back({FloorDiv(InTile(axis), together), axis.tile / together});
  if (axis.piece > 1) points.push_back({Modulo(InTile(axis), axis.piece), axis.piece});
  return points;
}

isl::union_set BlockOfKernel::AtPlaceOfThread(const isl::union_set& instances) const {
  isl::union_set thread = instances;
  for (size_t axis = 0; axis < plan->threads.axes.size(); ++axis) {
    if (Axis(axis).reduction) continue;
    thread = thread.intersect(WhereEqual(Lane(Axis(axis)), absl::StrCat(thread_id, axis)));
  }
  return plan->threads.HasHelpers() ? thread.intersect_params(FirstAlong(plan->threads.axes.size())) : thread;
}

isl::union_set BlockOfKernel::OfThread(const isl::union_set& instances) const {
  const isl::union_set thread = AtPlaceOfThread(instances);
  if (!plan->threads.HasReduction()) return thread;
  isl::union_set reduced = isl::union_set::empty(thread.ctx());
  for (const std::string& name : kernel->reduction->Shared())
    reduced = reduced.unite(isl::union_set(scop->statement(name).domain));
  const isl::union_set others = thread.subtract(reduced).intersect_params(FirstOfReduction());
  reduced = thread.intersect(reduced);
  for (size_t axis = 0; axis < plan->threads.axes.size(); ++axis) {
    if (!Axis(axis).reduction) continue;
    reduced = reduced.intersect(WhereEqual(Lane(Axis(axis)), absl::StrCat(thread_id, axis)));
  }
  return others.unite(reduced);
}

isl::set BlockOfKernel::FirstOfReduction() const {
  isl::set first = isl::set::universe(ParameterSpace(domain.ctx(), 0));
  for (size_t axis = 0; axis < plan->threads.axes.size(); ++axis) {
    if (!Axis(axis).reduction) continue;
    first = first.intersect(FirstAlong(axis));
  }
  return first;
}

isl::set BlockOfKernel::FirstAlong(size_t axis) const {
  return isl::set(domain.ctx(), absl::StrCat("[", thread_id, axis, "] -> { : ", thread_id, axis, " = 0 }"));
}

isl::schedule_node BlockOfKernel::After(absl::string_view stage, const isl::schedule_node& mark) const {
  if (!hook) return mark;
  return FindMark(After(stage, mark.schedule()).root(), MarkName(mark));
}

isl::schedule_node FindMark(const isl::schedule_node& top, const std::string& name) {
  std::optional<isl::schedule_node> found;
  top.foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!found && node.isa<isl::schedule_node_mark>() && MarkName(node) == name) found = node;
    return !found.has_value();
  });
  if (!found) throw std::logic_error(absl::StrCat("the tree has no mark \"", name, "\""));
  return *found;
}

isl::schedule_node FindKernel(const isl::schedule& tree, const std::string& name) {
  return FindMark(tree.root(), name).child(0);
}

}  // namespace tune
