// One block of one launch of a kernel: its instances, and which thread runs which of them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/device/device_facts.h"
#include "common/kernel/kernel.h"
#include "common/mapping/kernel_plan.h"
#include "common/scop/scop.h"

namespace tune {

// Sees a tree of `kernel` after a stage: "block" (what a block of a launch runs), "threads" (what one thread
// runs), "tiles" (and in which loops; only where no reduction is shared), "copies" (and what it copies); of
// no kernel after "host" (order of the launches). Returns the tree to go on with, most often the same one: it
// has the same instances, and marks where the next stage looks for them. Stages that are tried several times
// are seen each time, last the one that counts.
using TreeHook = std::function<isl::schedule(absl::string_view stage, absl::string_view kernel,
                                             const isl::schedule& tree)>;

// Numbers of a thread's points, { S -> [w] } in 0 ... count - 1.
struct PointNumber {
  isl::union_pw_aff number;
  int64_t count = 1;
};

// Everything about one kernel that the tree of its threads is made of. { S } are the instances of one block
// of one launch. Its functions throw isl::exception.
struct BlockOfKernel {
  const KernelPlan* plan = nullptr;
  const Kernel* kernel = nullptr;
  const ParsedScop* scop = nullptr;
  isl::schedule tree;                    // of these instances, with the kernel's mark
  isl::multi_union_pw_aff members;       // { S -> [members of the root band] }; null when nothing is mapped
  isl::union_set domain;                 // { S }, in terms of the block's coordinates
  std::optional<isl::union_set> launch;  // { S }: all at its values of the host loops, where there are any
  isl::set context;                      // of those coordinates
  // { A }, at the same values: what the launches of the other kernels of its launch_group write.
  std::function<isl::union_set()> written_beside;
  // Names of the parameters for the block's and the thread's coordinate along an axis, before its number.
  std::string block_id, thread_id;
  const DeviceFacts* device = nullptr;
  TreeHook hook;  // may be empty

  // The tree to go on with after the stage.
  isl::schedule After(absl::string_view stage, const isl::schedule& made) const {
    return hook ? hook(stage, plan->name, made) : made;
  }
  // The same for the tree around a mark node: its mark there. Throws std::logic_error when there is none.
  isl::schedule_node After(absl::string_view stage, const isl::schedule_node& mark) const;

  // x is axis 0, the last of the plan's.
  const CudaAxis& Axis(size_t axis) const { return plan->threads.Axis(axis); }
  int MemberCount() const { return kernel->bands[0].member_count(); }
  // Whether a thread runs several iterations of a member.
  bool HasSerialLoop() const;
  isl::union_pw_aff Member(int member) const { return members.at(member); }
  // The member's value, counted from the start of the block's tile where it has one: { S -> [v] }. This and
  // what follows is so in the block's domain; there it needs fewer integer divisions than the value itself.
  isl::union_pw_aff InTile(const CudaAxis& axis) const;
  // Which thread along the axis: { S -> [t] }.
  isl::union_pw_aff Lane(const CudaAxis& axis) const;
  // Which of the thread's points along the axis: which piece, then which point of that; without what there is
  // one of.
  std::vector<PointNumber> Points(const CudaAxis& axis) const;

  // { S }: those of `instances` that one thread runs, in terms of its coordinates. Of a reduction's
  // iterations each thread has its share; statements before and after it are run by its first thread.
  isl::union_set OfThread(const isl::union_set& instances) const;
  // { S }: those of `instances` at the thread's values of the coincident members.
  isl::union_set AtPlaceOfThread(const isl::union_set& instances) const;
  // The parameters at which the thread is the first of a reduction's; everything when there is none.
  isl::set FirstOfReduction() const;
  // The parameters at which the thread is the first along the axis.
  isl::set FirstAlong(size_t axis) const;
};

// The first mark node of that name at or below `top`; throws std::logic_error when there is none.
isl::schedule_node FindMark(const isl::schedule_node& top, const std::string& name);

// The node just below the mark of the kernel called `name`; throws std::logic_error when there is none.
isl::schedule_node FindKernel(const isl::schedule& tree, const std::string& name);

}  // namespace tune
