// One block of one launch of a kernel: its instances, and which thread runs which of them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/scop/scop.h"
#include "common/space/cuda_space.h"

namespace tune {

// Sees a tree of `kernel`, its thread's, after a stage: "block" (what a block of a launch runs), "threads"
// (what one thread runs), "tiles" (and in which loops), "copies" (and what it copies).
using TreeObserver =
    std::function<void(absl::string_view stage, absl::string_view kernel, const isl::schedule& tree)>;

// Everything about one kernel that the tree of its threads is made of. { S } are the instances of one block
// of one launch. Its functions throw isl::exception.
struct BlockOfKernel {
  const CudaKernelPlan* plan = nullptr;
  const Kernel* kernel = nullptr;
  const ParsedScop* scop = nullptr;
  isl::schedule tree;               // the whole one, with the kernel's mark
  isl::multi_union_pw_aff members;  // { S -> [members of the root band] }; null when nothing is mapped
  isl::union_set domain;            // { S }, in terms of the block's coordinates
  isl::set context;                 // of those coordinates
  // Names of the parameters for the block's and the thread's coordinate along an axis, before its number.
  std::string block_id, thread_id;
  int64_t max_shared_bytes = 0;
  TreeObserver observer;  // may be empty

  void Observe(absl::string_view stage, const isl::schedule& after) const {
    if (observer) observer(stage, plan->name, after);
  }

  // x is axis 0, the last of the plan's.
  const CudaAxis& Axis(size_t axis) const { return plan->Axis(axis); }
  int MemberCount() const { return kernel->bands[0].member_count(); }
  isl::union_pw_aff Member(int member) const { return members.at(member); }
  // The member's value, counted from the start of the block's tile where it has one: { S -> [v] }. This and
  // what follows is so in the block's domain; there it needs fewer integer divisions than the value itself.
  isl::union_pw_aff InTile(const CudaAxis& axis) const;
  // Which thread along the axis: { S -> [t] }.
  isl::union_pw_aff Lane(const CudaAxis& axis) const;
  // Which of the thread's points along the axis: { S -> [w] }.
  isl::union_pw_aff Point(const CudaAxis& axis) const;

  // { S }: those of `instances` that one thread runs, in terms of its coordinates. Of a reduction's
  // iterations each thread has its share; statements before and after it are run by its first thread.
  isl::union_set OfThread(const isl::union_set& instances) const;
  // { S }: those of `instances` at the thread's values of the coincident members.
  isl::union_set AtPlaceOfThread(const isl::union_set& instances) const;
  // The parameters at which the thread is the first of a reduction's; everything when there is none.
  isl::set FirstOfReduction() const;
};

// Below `top`, the mark node of that name.
std::optional<isl::schedule_node> FindMark(const isl::schedule_node& top, const std::string& name);

// The node just below the mark of the kernel called `name`; throws std::logic_error when there is none.
isl::schedule_node FindKernel(const isl::schedule& tree, const std::string& name);

}  // namespace tune
