#include "common/space/cuda_kernel_walk.h"

#include <algorithm>
#include <cmath>

#include "common/kernel/trip_count.h"
#include "common/space/cuda_local_memory_walk.h"
#include "common/space/cuda_memory_walk.h"
#include "common/space/cuda_reduction_walk.h"
#include "common/space/simple_choices.h"

namespace tune {
namespace {

constexpr size_t kMostAxes = 3;
constexpr int64_t kDefaultThreads = 256;
constexpr int64_t kCudaUnrollFactors[] = {1, 2, 4, 8, 16, 32, 64};
constexpr int64_t kFromFilledTile = 64;  // unroll factor where other threads fetch what a thread needs
constexpr int64_t kMostOfFetching = 16;  // and where it fetches that itself
constexpr int64_t kMinBlocks[] = {0, 1, 2, 4, 8};
constexpr int64_t kShortestProduct = 64;  // iterations of a sum that is worth a tile of points
constexpr int64_t kMuchToKeep = 8;        // points in all copies of a loop's body

// Tile sizes offered for the axis `place` (0: x). x: the paper's 32 to 512, 256 or 128, and less beside
// threads that use up the block: those of a reduction, or those that fetch what a few others add up; y and z
// also below the paper's 4 and 2.
std::vector<int64_t> TileSizes(const Kernel& kernel, const CudaKernelPlan& plan, size_t place,
                               const CudaSpaceOptions& options) {
  const int64_t largest[3][3] = {{1024, 0, 0}, {256, 128, 0}, {128, 32, 16}};
  const size_t axes = plan.axes.size();
  const bool narrow = plan.HasReduction() || WaitsForTerms(kernel, plan, options);
  const int64_t smallest = place > 0 ? 1 : narrow ? 8 : 32;
  std::vector<int64_t> sizes;
  for (int64_t size = smallest; size <= largest[axes - 1][place]; size *= 2) sizes.push_back(size);
  return sizes;
}

// Whether a tile of `size` is no larger than it need be to hold `trip_count` values.
bool Useful(int64_t size, int64_t trip_count, int64_t smallest) {
  return size == smallest || trip_count < 0 || size / 2 < trip_count;
}

// The members of the root band to share out, outermost first. In a permutable band any coincident one; else
// those before the first that is not coincident.
std::vector<int> MappedMembers(const Kernel& kernel) {
  std::vector<int> members;
  if (kernel.bands.empty()) return members;
  const KernelBand& root = kernel.bands[0];
  for (int m = 0; m < root.member_count(); ++m) {
    if (root.coincident[m] && Repeats(root.trip_counts[m])) members.push_back(m);
    if (!root.coincident[m] && !root.permutable) break;
  }
  if (members.size() > kMostAxes) members.erase(members.begin(), members.end() - kMostAxes);
  return members;
}

// The side of the tile, 4 x 4 or 2 x 2 points for each of 256 threads, of a kernel that looks like a product
// of matrices: the largest of which there is one for each multiprocessor; 0 when there is none.
int64_t ProductTile(const Kernel& kernel, size_t axes, const CudaSpaceOptions& options) {
  const KernelBand& root = kernel.bands[0];
  if (axes != 2 || !root.innermost || kernel.read_only_arrays.empty()) return 0;
  int64_t serial = 0;
  std::vector<int64_t> mapped;
  for (int m = 0; m < root.member_count(); ++m) {
    const int64_t trip_count = root.trip_counts[m] < 0 ? INT32_MAX : root.trip_counts[m];
    if (root.coincident[m]) {
      if (Repeats(trip_count)) mapped.push_back(trip_count);
    } else {
      ++serial;
      if (trip_count < kShortestProduct) return 0;
    }
  }
  if (serial != 1 || mapped.size() != 2) return 0;
  for (const int64_t tile : {64, 32}) {
    const double blocks = std::ceil(static_cast<double>(mapped[0]) / static_cast<double>(tile)) *
                          std::ceil(static_cast<double>(mapped[1]) / static_cast<double>(tile));
    if (blocks >= options.device.multiprocessors) return tile;
  }
  return 0;
}

// Whether neighbours along y share what they read, and there are enough of them for 4 points a thread.
bool IsLargeStencil(const Kernel& kernel, const CudaKernelPlan& plan, const CudaSpaceOptions& options) {
  const KernelBand& root = kernel.bands[0];
  if (plan.axes.size() != 2 || !root.innermost) return false;
  double points = 1;
  for (int m = 0; m < root.member_count(); ++m) {
    if (!plan.IsMapped(m) && Repeats(root.trip_counts[m])) return false;
    points *= root.trip_counts[m] < 0 ? HUGE_VAL : static_cast<double>(root.trip_counts[m]);
  }
  return points >= 4.0 * options.device.Threads();
}

// Defaults for today's devices, where there are enough values: warps along x, 256 threads, one point a
// thread; 4 x 4 points where a tile's elements are used many times, 4 where only neighbours share. With one
// axis, fewer threads when there would not be a block for each multiprocessor.
CudaAxis DefaultAxis(const Kernel& kernel, const CudaKernelPlan& plan, const std::vector<int64_t>& sizes,
                     int64_t trip_count, size_t place, const CudaBudget& budget,
                     const CudaSpaceOptions& options) {
  const size_t axes = plan.axes.size();
  const int64_t product = plan.HasReduction() ? 0 : ProductTile(kernel, axes, options);
  if (product > 0) return {0, product, 16};
  if (place == 1 && IsLargeStencil(kernel, plan, options))
    return {0, 32, std::min<int64_t>(8, budget.threads)};
  int64_t wanted = place == 0 ? 32 : 8;
  if (plan.HasReduction()) {
    // Along x a half warp reads whole sectors of memory: twice the blocks where there are few.
    const bool few =
        !plan.HasSplitReduction() && trip_count >= 0 && trip_count < 32 * options.device.multiprocessors;
    wanted = place == 0 ? (few ? 16 : 32) : std::max<int64_t>(1, kDefaultThreads / plan.ReductionThreads());
  } else if (axes == 1) {
    wanted = kDefaultThreads;
    const int64_t least = WaitsForTerms(kernel, plan, options) ? 16 : 32;
    while (wanted > least && trip_count >= 0 && trip_count < wanted * options.device.multiprocessors)
      wanted /= 2;
  } else if (axes == 3) {
    wanted = place == 0 ? 32 : place == 1 ? 4 : 2;
  }
  wanted = std::min(wanted, budget.threads);
  int64_t best = sizes[0];
  for (const int64_t size : sizes) {
    if (size <= wanted && Useful(size, trip_count, sizes[0])) best = size;
  }
  return {0, best, best};
}

absl::Status ChooseAxis(const Kernel& kernel, size_t place, const CudaSpaceOptions& options, Chooser& chooser,
                        CudaBudget& budget, CudaKernelPlan& plan) {
  const size_t axes = plan.axes.size();
  CudaAxis& axis = plan.axes[axes - 1 - place];
  const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
  const std::vector<int64_t> tiles = TileSizes(kernel, plan, place, options);
  std::vector<bool> allowed;
  for (const int64_t size : tiles)
    allowed.push_back(Useful(size, trip_count, tiles[0]) && size <= budget.threads * budget.points);
  const CudaAxis standard = DefaultAxis(kernel, plan, tiles, trip_count, place, budget, options);
  TUNE_ASSIGN_OR_RETURN(
      axis.tile, ChooseNumber(chooser, absl::StrCat(kernel.name, ".tile_size_", axis.member), tiles, allowed,
                              standard.tile));

  std::vector<int64_t> blocks;
  allowed.clear();
  for (int64_t size = std::min<int64_t>(tiles[0], place == 0 ? 16 : 1); size <= axis.tile; size *= 2) {
    blocks.push_back(size);
    allowed.push_back(size <= budget.threads && axis.tile / size <= budget.points &&
                      (place < 2 || size <= kMostInZ));
  }
  TUNE_ASSIGN_OR_RETURN(axis.block,
                        ChooseNumber(chooser, absl::StrCat(kernel.name, ".block_size_", axis.member), blocks,
                                     allowed, Nearest(blocks, allowed, standard.block)));
  budget.threads /= axis.block;
  budget.points /= axis.tile / axis.block;
  return absl::OkStatus();
}

// Of those that threads run themselves at the bottom of the kernel.
int64_t LongestInnermostLoop(const Kernel& kernel, const CudaKernelPlan& plan) {
  int64_t longest = 0;
  for (size_t b = 0; b < kernel.bands.size(); ++b) {
    if (kernel.bands[b].innermost) longest = std::max(longest, LongestOfBand(kernel, plan, b));
  }
  return longest;
}

// With x cyclic neighbours in a warp are neighbours in memory; with x blocked a thread reads its neighbouring
// elements of a shared tile at once.
absl::Status ChooseDistribution(const Kernel& kernel, CudaKernelPlan& plan, Chooser& chooser) {
  const auto has_points = [](const CudaAxis& axis) { return axis.HasPoints(); };
  if (plan.axes.empty() || std::none_of(plan.axes.begin(), plan.axes.end(), has_points))
    return absl::OkStatus();
  const bool x = plan.axes.back().HasPoints();
  const bool others = std::any_of(plan.axes.begin(), plan.axes.end() - 1, has_points);
  // Consecutive rows share what a stencil reads; a product of two arrays has them in registers, and reads
  // shared memory most.
  const bool stencil = LongestSerialMember(kernel, plan) == 0;
  const bool product = !stencil && x && kernel.read_only_references <= 2;
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseOption(chooser, kernel.name + ".distribution",
                                                       {"cyclic", "blocked", "blocked_x"},
                                                       product             ? 2
                                                       : stencil && others ? 1
                                                                           : 0,
                                                       {true, others, x}));
  for (CudaAxis& axis : plan.axes)
    axis.blocked = axis.HasPoints() && (chosen == 2 || (chosen == 1 && &axis != &plan.axes.back()));
  return absl::OkStatus();
}

// Points of a thread.
int64_t Points(const CudaKernelPlan& plan) {
  int64_t points = 1;
  for (const CudaAxis& axis : plan.axes) points *= axis.HasPoints() ? axis.tile / axis.block : 1;
  return points;
}

// Enough loads in flight; all of a tile, so that its subscripts are constants and elements that lie side by
// side are read at once.
int64_t DefaultUnroll(const Kernel& kernel, const CudaKernelPlan& plan, int64_t longest) {
  const int64_t whole_tile = kernel.statements.size() > 2 ? 8 : 16;  // much code takes long to compile
  const int64_t from_shared = plan.fill_threads > 1 ? kFromFilledTile : whole_tile;
  const int64_t wanted = plan.HasReduction() ? 4 : plan.shared ? from_shared : 1;
  return longest >= wanted && wanted * Points(plan) <= kMostUnrolled ? wanted : 1;
}

absl::Status ChooseUnroll(const Kernel& kernel, CudaKernelPlan& plan, Chooser& chooser) {
  const int64_t longest = LongestInnermostLoop(kernel, plan);
  if (longest == 0) return absl::OkStatus();
  std::vector<bool> allowed;
  for (const int64_t factor : kCudaUnrollFactors)
    allowed.push_back(longest >= factor && (factor == 1 || factor * Points(plan) <= kMostUnrolled) &&
                      (factor <= kMostOfFetching || plan.fill_threads > 1));
  TUNE_ASSIGN_OR_RETURN(plan.unroll,
                        ChooseNumber(chooser, absl::StrCat(kernel.name, ".unroll"),
                                     {std::begin(kCudaUnrollFactors), std::end(kCudaUnrollFactors)}, allowed,
                                     DefaultUnroll(kernel, plan, longest)));
  return absl::OkStatus();
}

// Matters where a thread has much to keep: left to itself the compiler may spill registers rather than have
// fewer blocks, or the other way round.
absl::Status ChooseMinBlocks(const Kernel& kernel, const DeviceFacts& device, CudaKernelPlan& plan,
                             Chooser& chooser) {
  if (plan.IsOneThread() || Points(plan) * plan.unroll < kMuchToKeep) return absl::OkStatus();
  std::vector<bool> allowed;
  for (const int64_t blocks : kMinBlocks)
    allowed.push_back(blocks <= device.max_blocks_per_multiprocessor &&
                      blocks * plan.Threads() <= device.max_threads_per_multiprocessor);
  TUNE_ASSIGN_OR_RETURN(plan.min_blocks,
                        ChooseNumber(chooser, absl::StrCat(kernel.name, ".min_blocks"),
                                     {std::begin(kMinBlocks), std::end(kMinBlocks)}, allowed, 0));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CudaKernelPlan> WalkCudaKernel(const Kernel& kernel, const CudaSpaceOptions& options,
                                              Chooser& chooser) {
  CudaKernelPlan plan;
  plan.name = kernel.name;
  for (const int member : MappedMembers(kernel)) plan.axes.push_back({member});
  CudaBudget budget{options.device.max_threads_per_block, kMostPoints};
  TUNE_RETURN_IF_ERROR(ChooseReduction(kernel, options, chooser, budget, plan));
  for (size_t place = 0; place < plan.axes.size(); ++place) {
    if (plan.axes[plan.axes.size() - 1 - place].reduction) continue;
    TUNE_RETURN_IF_ERROR(ChooseAxis(kernel, place, options, chooser, budget, plan));
  }
  TUNE_RETURN_IF_ERROR(ChooseDistribution(kernel, plan, chooser));
  TUNE_RETURN_IF_ERROR(ChooseLocalMemory(kernel, options, budget, chooser, plan));
  TUNE_RETURN_IF_ERROR(ChooseUnroll(kernel, plan, chooser));
  TUNE_RETURN_IF_ERROR(ChooseMinBlocks(kernel, options.device, plan, chooser));
  TUNE_RETURN_IF_ERROR(ChooseMemory(kernel, options.device, chooser, plan));
  return plan;
}

}  // namespace tune
