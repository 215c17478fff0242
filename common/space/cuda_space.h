// The space of the `cuda` target: which decisions there are, asked in one walk, by server and worker alike.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/space/device_facts.h"
#include "common/space/schedule_space.h"

namespace tune {

// A member of a kernel's root band that blocks and threads share out: a coincident one, or that of the
// kernel's reduction. A block runs `tile` consecutive values of the member, thread t of `block` those that
// are t modulo `block`, or where they are `blocked` the t-th tile / block of them. Blocks that share a
// reduction add up by atomic operations.
struct CudaAxis {
  int member = 0;
  int64_t tile = 1;   // 0, for a reduction: all values
  int64_t block = 1;  // divides tile
  bool reduction = false;
  bool blocked = false;
  bool operator==(const CudaAxis&) const = default;
  // Whether a thread has several values, which are points of its tile.
  bool HasPoints() const { return !reduction && tile > block; }
  // Whether blocks have values of their own; else each runs all, for which there is one.
  bool HasBlocks() const { return tile > 0; }
  // Whether several blocks share a reduction.
  bool IsSplit() const { return reduction && HasBlocks(); }
};

// What was decided for one kernel.
struct CudaKernelPlan {
  std::string name;            // "k[S0,S1]", equals Kernel::name
  std::vector<CudaAxis> axes;  // at most three, the last is x. None: one thread
  int64_t unroll = 1;          // factor of the innermost loops; 1: none
  // Read-only arrays go through shared memory, filled once for `inner_tile` iterations of each member that is
  // not mapped.
  bool shared = false;
  bool opt_in = false;  // with as much of it as the device allows on request, not as any kernel may use
  int64_t inner_tile = 1;
  // Threads of a block for each one that runs instances. The others, along an axis of their own after those
  // of `axes`, only help to fill shared memory.
  int64_t fill_threads = 1;
  // Copies of each tile in shared memory. With two, one is filled while threads still read the other.
  int64_t buffers = 1;
  bool registers = false;  // written elements stay in registers while a thread works on them
  // Blocks that a multiprocessor must have room for, which limits a thread's registers; 0: the compiler
  // decides.
  int64_t min_blocks = 0;
  std::map<std::string, ArrayLoads> loads;  // of some of the arrays; of others: kReadOnly
  // Percent of a multiprocessor's memory that is to be shared memory, the rest is its L1 cache; -1: the
  // driver decides.
  int carveout = -1;
  bool atomic_stores = false;                     // stores to the arrays' memory are atomic exchanges
  BlockOrder block_order = BlockOrder::kForward;  // of launches of its own

  // Whether every thread of a block has its own values of the member, and no loop over it but for its points.
  bool IsMapped(int member) const {
    return std::any_of(axes.begin(), axes.end(),
                       [&](const CudaAxis& axis) { return axis.member == member && !axis.reduction; });
  }
  ArrayLoads Loads(const std::string& array) const {
    const auto found = loads.find(array);
    return found == loads.end() ? ArrayLoads::kReadOnly : found->second;
  }
  bool IsOneThread() const { return axes.empty() && fill_threads == 1; }
  // x is axis 0.
  const CudaAxis& Axis(size_t axis) const { return axes[axes.size() - 1 - axis]; }
  // Of a block.
  int64_t Threads() const {
    int64_t threads = fill_threads;
    for (const CudaAxis& axis : axes) threads *= axis.block;
    return threads;
  }
  // Threads of a block that share out the iterations of a reduction; 1: there is none.
  int64_t ReductionThreads() const {
    int64_t threads = 1;
    for (const CudaAxis& axis : axes) threads *= axis.reduction ? axis.block : 1;
    return threads;
  }
  bool HasReduction() const {
    return std::any_of(axes.begin(), axes.end(), [](const CudaAxis& axis) { return axis.reduction; });
  }
  bool HasSplitReduction() const {
    return std::any_of(axes.begin(), axes.end(), [](const CudaAxis& axis) { return axis.IsSplit(); });
  }
};

// How the kernels come to run: each launch by the host; all in one launch, of one block or of as many as the
// device holds at once, with barriers in place of the ends of launches; or each by the device, which the host
// gives all of them in one call, as a CUDA graph.
enum class CudaLaunches { kSeparate, kOneBlock, kGrid, kGraph };

inline bool RunsInOneLaunch(CudaLaunches launches) {
  return launches == CudaLaunches::kOneBlock || launches == CudaLaunches::kGrid;
}

// A walk's result: everything that the generator needs, as data. Must not outlive the space.
struct CudaPlan {
  // Whose scop this is a plan of, and in whose context it lives: that of the user's scop, or of one with
  // split statements, expanded arrays or both. Its further arrays and statements follow the user's.
  ScheduleSpace* schedules = nullptr;
  std::shared_ptr<const ScheduledScop> scheduled;  // tree with kernels marked
  std::vector<CudaKernelPlan> kernels;             // parallel to scheduled->kernels
  CudaLaunches launches = CudaLaunches::kSeparate;
};

struct CudaSpaceOptions {
  DeviceFacts device;
  int64_t max_expansion_bytes = int64_t{4} << 30;  // of all expanded arrays together
  ScheduleLevel level = ScheduleLevel::kO1;
  bool exact = false;  // sums keep their order: threads do not share a reduction
};

// One thread at a time. Keys, in the order asked: `index_sets`, `split` or `whole`
// (common/expansion/index_split.h), where some statement can be split, of the scop with expanded arrays if
// there is one; `expansion` (common/expansion), where some array can be expanded and nothing was split; those
// of schedule_space.h; for each kernel, in tree order, those of cuda_kernel_walk.h; then `launches`
// (cuda_launches_walk.h) and those of cuda_order_walk.h.
class CudaSpace {
 public:
  // As ScheduleSpace::Make.
  static absl::StatusOr<std::unique_ptr<CudaSpace>> Make(
      const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
      const CudaSpaceOptions& options, const IslContext::Limits& limits = {});

  // One candidate, at the options' level. Errors as ScheduleSpace::Walk.
  absl::StatusOr<CudaPlan> Walk(Chooser& chooser) { return Walk(chooser, options_.level); }
  // At another one: that of a recorded configuration is ScheduleLevelOf.
  absl::StatusOr<CudaPlan> Walk(Chooser& chooser, ScheduleLevel level);
  // With a schedule from elsewhere in place of those decisions (ScheduleSpace::Read). What the tree says of
  // its bands may be wrong: CheckCuda tells.
  absl::StatusOr<CudaPlan> WalkWithSchedule(const std::string& tree, Chooser& chooser);

  const CudaSpaceOptions& options() const { return options_; }

 private:
  CudaSpace(std::unique_ptr<ScheduleSpace> original, const CudaSpaceOptions& options)
      : original_(std::move(original)), options_(options) {}
  // Sets expanded_ when there is something to expand, by no more work than the limits allow.
  absl::Status Expand(const IslContext::Limits& limits);
  // Sets split_ when there is something to split, by no more work than the limits allow.
  absl::Status Split(const IslContext::Limits& limits);
  absl::StatusOr<ScheduleSpace*> ChooseScop(Chooser& chooser);
  // All decisions after those of the schedule.
  absl::StatusOr<CudaPlan> WalkKernels(CudaPlan plan, Chooser& chooser);

  std::unique_ptr<ScheduleSpace> original_;
  std::unique_ptr<ScheduleSpace> expanded_;  // null: nothing can be expanded
  std::unique_ptr<ScheduleSpace> split_;     // null: nothing is to be split
  CudaSpaceOptions options_;
};

}  // namespace tune
