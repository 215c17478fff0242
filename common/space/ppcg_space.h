// The space of the `ppcg` back end: the decisions that PPCG's command line can express.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/space/schedule_space.h"

namespace tune {

// What decides which kernels there are.
struct PpcgSchedulePlan {
  // Our own schedule, that PPCG loads; null: PPCG computes one with the options below.
  std::shared_ptr<const ScheduledScop> loaded;
  bool feautrier = false;
  bool serialize_sccs = false;
  bool maximize_band_depth = true;
  bool outer_coincidence = true;

  // Equal for equal plans of one space.
  std::string Key() const;
};

// Every schedule that a walk over this space can take, each once; but for those of `builtin` that cannot be
// computed, with which walks fail. `builtin` null: its schedules are not offered.
std::vector<PpcgSchedulePlan> PpcgSchedules(ScheduleSpace* builtin);

// How many sizes of each kind PPCG takes for a kernel, as `ppcg --dump-sizes` says.
struct PpcgKernelShape {
  int tile = 0;
  int grid = 0;   // at most 2
  int block = 0;  // at most 3; 0: the kernel is one thread
  bool operator==(const PpcgKernelShape&) const = default;
};

// Sizes, outermost first, as many as the kernel's shape has. The first block.size() tiled members are shared
// out among blocks and threads, the last of these along x.
struct PpcgKernelPlan {
  std::vector<int64_t> tile, grid, block;
};

// A walk's result. Must not outlive the ScheduleSpace it was walked over.
struct PpcgPlan {
  PpcgSchedulePlan schedule;
  std::vector<PpcgKernelPlan> kernels;  // by PPCG's number
  bool shared_memory = true;
  bool private_memory = true;
  int64_t max_shared_bytes = 8192;  // of a block
  bool unroll_copy_shared = false;
  bool unroll_gpu_tile = false;
};

struct PpcgSpaceOptions {
  int max_threads = 1024;               // of a block
  int64_t max_shared_bytes = 48 << 10;  // of a block
};

// The kernels that PPCG makes with a schedule, by its number. Only PPCG itself knows: where it is not
// installed, the answers must have been recorded where it is. An error is the candidate's.
using PpcgShapes = std::function<absl::StatusOr<std::vector<PpcgKernelShape>>(const PpcgSchedulePlan&)>;

// Asks, in this order, `ppcg.schedule` (PPCG's own or the builtin one) and for the builtin one the keys of
// schedule_space.h, else `ppcg.algorithm`, `ppcg.serialize_sccs`, `ppcg.maximize_band_depth` (when not
// serialized), `ppcg.outer_coincidence`; then for each kernel K of `shapes`, for the shared-out members x
// first, `ppcg.kK.tile_size_N` and `ppcg.kK.block_size_N`, then `ppcg.kK.tile_size_N` of the other members,
// and `ppcg.kK.grid_size_N`; then `ppcg.shared_memory`, `ppcg.max_shared_bytes`, `ppcg.private_memory`,
// `ppcg.unroll_copy_shared`, `ppcg.unroll_gpu_tile`. Defaults are PPCG's own; tile and block sizes those of
// Coding Ants (Table 1), and those that PPCG's defaults need. `builtin` null: its schedules are not offered.
// Errors: the chooser's, those of `shapes` and of ScheduleSpace::Walk.
absl::StatusOr<PpcgPlan> WalkPpcg(ScheduleSpace* builtin, const PpcgShapes& shapes,
                                  const PpcgSpaceOptions& options, Chooser& chooser);

}  // namespace tune
