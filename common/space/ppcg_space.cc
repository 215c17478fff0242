#include "common/space/ppcg_space.h"

#include <algorithm>
#include <set>

#include "common/decision/all_walks.h"
#include "common/decision/offer.h"
#include "common/decision/simple_choices.h"
#include "common/mapping/cuda_limits.h"

namespace tune {
namespace {

// Threads of a block and points of a thread that are not given away yet.
struct CudaBudget {
  int64_t threads, points;
};

constexpr int64_t kDefaultTile = 32;             // PPCG's, of every member
constexpr int64_t kSmallestTile[] = {32, 4, 2};  // x, y, z
constexpr int64_t kLargestTile[3][3] = {{512, 0, 0}, {256, 128, 0}, {128, 32, 32}};  // by number of axes
constexpr int64_t kDefaultBlock[3][3] = {{512, 0, 0}, {16, 32, 0}, {4, 4, 32}};      // PPCG's, x first
constexpr int64_t kSmallestBlockInX = 4;

// Powers of two from `first` to `last`.
std::vector<int64_t> Powers(int64_t first, int64_t last) {
  std::vector<int64_t> values;
  for (int64_t value = first; value <= last; value *= 2) values.push_back(value);
  return values;
}

absl::StatusOr<PpcgSchedulePlan> ChooseSchedule(ScheduleSpace* builtin, Chooser& chooser) {
  PpcgSchedulePlan plan;
  if (builtin != nullptr) {
    TUNE_ASSIGN_OR_RETURN(const int whose, ChooseOption(chooser, "ppcg.schedule", {"ppcg", "builtin"}, 0));
    if (whose == 1) {
      TUNE_ASSIGN_OR_RETURN(plan.loaded, builtin->Walk(chooser));
      return plan;
    }
  }
  TUNE_ASSIGN_OR_RETURN(const int algorithm,
                        ChooseOption(chooser, "ppcg.algorithm", {"pluto", "feautrier"}, 0));
  plan.feautrier = algorithm == 1;
  TUNE_ASSIGN_OR_RETURN(plan.serialize_sccs, ChooseSwitch(chooser, "ppcg.serialize_sccs", false));
  if (!plan.serialize_sccs) {
    TUNE_ASSIGN_OR_RETURN(plan.maximize_band_depth, ChooseSwitch(chooser, "ppcg.maximize_band_depth", true));
  }
  TUNE_ASSIGN_OR_RETURN(plan.outer_coincidence, ChooseSwitch(chooser, "ppcg.outer_coincidence", true));
  return plan;
}

// Tile and threads of one shared-out member; `place` 0 is x. The smallest tile is always possible, with one
// thread when nothing is left of the budget.
absl::Status ChooseAxis(const std::string& kernel, int axes, int place, const PpcgSpaceOptions& options,
                        Chooser& chooser, CudaBudget& budget, PpcgKernelPlan& plan) {
  const int member = axes - 1 - place;
  NumberOffer tiles{absl::StrCat(kernel, ".tile_size_", member), {}, {}};
  for (const int64_t size : Powers(kSmallestTile[place], kLargestTile[axes - 1][place]))
    tiles.Add(size, tiles.values.empty() || size <= budget.threads * budget.points);
  TUNE_ASSIGN_OR_RETURN(plan.tile[member], Ask(chooser, tiles, tiles.Nearest(kDefaultTile)));
  const int64_t tile = plan.tile[member];
  NumberOffer blocks{absl::StrCat(kernel, ".block_size_", member), {}, {}};
  for (const int64_t size : Powers(place == 0 ? kSmallestBlockInX : 1, tile))
    blocks.Add(size,
               size <= budget.threads && tile / size <= budget.points && (place < 2 || size <= kMostInZ));
  std::vector<bool>& legal = blocks.legal;
  if (std::find(legal.begin(), legal.end(), true) == legal.end()) legal[0] = true;
  TUNE_ASSIGN_OR_RETURN(plan.block[member],
                        Ask(chooser, blocks, blocks.Nearest(std::min(kDefaultBlock[axes - 1][place], tile))));
  budget.threads /= plan.block[member];
  budget.points = std::max<int64_t>(budget.points / (tile / plan.block[member]), 1);
  return absl::OkStatus();
}

absl::StatusOr<PpcgKernelPlan> ChooseKernel(const std::string& kernel, const PpcgKernelShape& shape,
                                            const PpcgSpaceOptions& options, Chooser& chooser) {
  PpcgKernelPlan plan;
  plan.tile.assign(shape.tile, kDefaultTile);
  plan.grid.assign(shape.grid, 1);
  plan.block.assign(shape.block, 1);
  const int axes = std::min({shape.block, shape.tile, 3});
  CudaBudget budget{options.max_threads, kMostPoints};
  for (int place = 0; place < axes; ++place)
    TUNE_RETURN_IF_ERROR(ChooseAxis(kernel, axes, place, options, chooser, budget, plan));
  const std::vector<int64_t> inner = {1, 4, 8, 16, 32, 64};
  for (int member = axes; member < shape.tile; ++member) {
    TUNE_ASSIGN_OR_RETURN(
        plan.tile[member],
        Ask(chooser, NumberOffer{absl::StrCat(kernel, ".tile_size_", member), inner, {}}, kDefaultTile));
  }
  const bool plane = shape.grid > 1;
  const std::vector<int64_t> blocks =
      plane ? std::vector<int64_t>{32, 64, 128, 256} : std::vector<int64_t>{256, 1024, 4096, 32768};
  for (int i = 0; i < shape.grid; ++i) {
    TUNE_ASSIGN_OR_RETURN(
        plan.grid[i],
        Ask(chooser, NumberOffer{absl::StrCat(kernel, ".grid_size_", i), blocks, {}}, blocks.back()));
  }
  return plan;
}

// Points that one thread runs in a tile of the kernel, serial members included.
int64_t PointsOfThread(const PpcgKernelPlan& kernel) {
  int64_t points = 1;
  for (size_t i = 0; i < kernel.tile.size(); ++i)
    points *=
        i < kernel.block.size() ? std::max<int64_t>(kernel.tile[i] / kernel.block[i], 1) : kernel.tile[i];
  return points;
}

absl::Status ChooseMemory(const PpcgSpaceOptions& options, Chooser& chooser, PpcgPlan& plan) {
  TUNE_ASSIGN_OR_RETURN(plan.shared_memory, ChooseSwitch(chooser, "ppcg.shared_memory", true));
  if (plan.shared_memory) {
    const std::vector<int64_t> sizes = {8192, 16384, 32768, 49152};
    std::vector<bool> allowed;
    for (const int64_t size : sizes) allowed.push_back(size == sizes[0] || size <= options.max_shared_bytes);
    TUNE_ASSIGN_OR_RETURN(plan.max_shared_bytes,
                          Ask(chooser, NumberOffer{"ppcg.max_shared_bytes", sizes, allowed}, sizes[0]));
  }
  TUNE_ASSIGN_OR_RETURN(plan.private_memory, ChooseSwitch(chooser, "ppcg.private_memory", true));
  if (plan.shared_memory) {
    TUNE_ASSIGN_OR_RETURN(plan.unroll_copy_shared, ChooseSwitch(chooser, "ppcg.unroll_copy_shared", false));
  }
  int64_t most = 1;
  for (const PpcgKernelPlan& kernel : plan.kernels) most = std::max(most, PointsOfThread(kernel));
  if (most <= kMostUnrolled) {
    TUNE_ASSIGN_OR_RETURN(plan.unroll_gpu_tile, ChooseSwitch(chooser, "ppcg.unroll_gpu_tile", false));
  }
  return absl::OkStatus();
}

}  // namespace

std::string PpcgSchedulePlan::Key() const {
  if (loaded != nullptr) return loaded->fingerprint;
  return absl::StrCat(feautrier ? "feautrier" : "pluto", serialize_sccs ? " serialized" : "",
                      maximize_band_depth ? " deep" : "", outer_coincidence ? " outer" : "");
}

std::vector<PpcgSchedulePlan> PpcgSchedules(ScheduleSpace* builtin) {
  std::vector<PpcgSchedulePlan> schedules;
  std::set<std::string> keys;
  ForAllWalks([&](Chooser& chooser) {
    absl::StatusOr<PpcgSchedulePlan> plan = ChooseSchedule(builtin, chooser);
    if (plan.ok() && keys.insert(plan->Key()).second) schedules.push_back(*std::move(plan));
  });
  return schedules;
}

absl::StatusOr<PpcgPlan> WalkPpcg(ScheduleSpace* builtin, const PpcgShapes& shapes,
                                  const PpcgSpaceOptions& options, Chooser& chooser) {
  PpcgPlan plan;
  TUNE_ASSIGN_OR_RETURN(plan.schedule, ChooseSchedule(builtin, chooser));
  TUNE_ASSIGN_OR_RETURN(const std::vector<PpcgKernelShape> kernels, shapes(plan.schedule));
  for (size_t i = 0; i < kernels.size(); ++i) {
    TUNE_ASSIGN_OR_RETURN(PpcgKernelPlan kernel,
                          ChooseKernel(absl::StrCat("ppcg.k", i), kernels[i], options, chooser));
    plan.kernels.push_back(std::move(kernel));
  }
  TUNE_RETURN_IF_ERROR(ChooseMemory(options, chooser, plan));
  return plan;
}

}  // namespace tune
