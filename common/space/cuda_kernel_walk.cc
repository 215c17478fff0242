#include "common/space/cuda_kernel_walk.h"

#include <algorithm>

#include "common/space/simple_choices.h"

namespace tune {
namespace {

constexpr size_t kMostAxes = 3;
constexpr int64_t kMostPoints = 64;  // of a thread
constexpr int64_t kMostInZ = 64;     // CUDA's limit on blockDim.z
constexpr int64_t kDefaultThreads = 256;
constexpr int64_t kUnrollFactors[] = {1, 2, 4, 8};

// Tile sizes offered for the axis `place` of `axes` (0: x). x: the paper's 32 to 512, 256 or 128; y and z
// also below the paper's 4 and 2.
std::vector<int64_t> TileSizes(size_t axes, size_t place) {
  const int64_t largest[3][3] = {{1024, 0, 0}, {256, 128, 0}, {128, 32, 16}};
  const int64_t smallest = place == 0 ? 32 : 1;
  std::vector<int64_t> sizes;
  for (int64_t size = smallest; size <= largest[axes - 1][place]; size *= 2) sizes.push_back(size);
  return sizes;
}

// A member of unknown length is taken to be long.
bool Repeats(int64_t trip_count) { return trip_count < 0 || trip_count >= 2; }

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

// What is left for the axes that are still to be decided.
struct Budget {
  int64_t threads;
  int64_t points;
};

// Whether the kernel looks like a product of matrices that is large enough for 4 x 4 points a thread.
bool IsLargeProduct(const Kernel& kernel, size_t axes) {
  const KernelBand& root = kernel.bands[0];
  if (axes != 2 || !root.innermost || kernel.read_only_arrays.empty()) return false;
  int64_t serial = 0, shortest = INT64_MAX;
  for (int m = 0; m < root.member_count(); ++m) {
    if (!root.coincident[m]) ++serial;
    if (root.trip_counts[m] >= 0) shortest = std::min(shortest, root.trip_counts[m]);
  }
  return serial == 1 && shortest >= 1024;
}

// Defaults for today's devices, where there are enough values: warps along x, 256 threads, one point a
// thread, 4 x 4 points where a tile's elements are used many times. With one axis, fewer threads when there
// would not be a block for each multiprocessor.
CudaAxis DefaultAxis(const Kernel& kernel, const std::vector<int64_t>& sizes, int64_t trip_count, size_t axes,
                     size_t place, const Budget& budget, const CudaSpaceOptions& options) {
  if (IsLargeProduct(kernel, axes)) return {0, 64, 16};
  int64_t wanted = place == 0 ? 32 : 8;
  if (axes == 1) {
    wanted = kDefaultThreads;
    while (wanted > 32 && trip_count >= 0 && trip_count < wanted * options.multiprocessors) wanted /= 2;
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

absl::Status ChooseAxis(const Kernel& kernel, size_t axes, size_t place, const CudaSpaceOptions& options,
                        Chooser& chooser, Budget& budget, CudaAxis& axis) {
  const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
  const std::vector<int64_t> tiles = TileSizes(axes, place);
  std::vector<bool> allowed;
  for (const int64_t size : tiles)
    allowed.push_back(Useful(size, trip_count, tiles[0]) && size <= budget.threads * budget.points);
  const CudaAxis standard = DefaultAxis(kernel, tiles, trip_count, axes, place, budget, options);
  TUNE_ASSIGN_OR_RETURN(
      axis.tile, ChooseNumber(chooser, absl::StrCat(kernel.name, ".tile_size_", axis.member), tiles, allowed,
                              standard.tile));

  std::vector<int64_t> blocks;
  allowed.clear();
  for (int64_t size = std::min<int64_t>(axis.tile, place == 0 ? 16 : 1); size <= axis.tile; size *= 2) {
    blocks.push_back(size);
    allowed.push_back(size <= budget.threads && axis.tile / size <= budget.points &&
                      (place < 2 || size <= kMostInZ));
  }
  int64_t default_block = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (allowed[i] && (default_block == 0 || blocks[i] <= standard.block)) default_block = blocks[i];
  }
  TUNE_ASSIGN_OR_RETURN(axis.block,
                        ChooseNumber(chooser, absl::StrCat(kernel.name, ".block_size_", axis.member), blocks,
                                     allowed, default_block));
  budget.threads /= axis.block;
  budget.points /= axis.tile / axis.block;
  return absl::OkStatus();
}

// The longest loop that threads run themselves at the bottom of the kernel; 0: there is none.
int64_t LongestInnermostLoop(const Kernel& kernel, const CudaKernelPlan& plan) {
  int64_t longest = 0;
  for (size_t b = 0; b < kernel.bands.size(); ++b) {
    const KernelBand& band = kernel.bands[b];
    if (!band.innermost) continue;
    for (int m = 0; m < band.member_count(); ++m) {
      if ((b == 0 && plan.IsMapped(m)) || !Repeats(band.trip_counts[m])) continue;
      if (band.trip_counts[m] < 0) return INT64_MAX;
      longest = std::max(longest, band.trip_counts[m]);
    }
  }
  return longest;
}

// Iterations of the longest member of the root band that is not mapped; 0: every member is mapped.
int64_t LongestSerialMember(const Kernel& kernel, const CudaKernelPlan& plan) {
  int64_t longest = 0;
  const KernelBand& root = kernel.bands[0];
  for (int m = 0; m < root.member_count(); ++m) {
    if (plan.IsMapped(m) || !Repeats(root.trip_counts[m])) continue;
    if (root.trip_counts[m] < 0) return INT64_MAX;
    longest = std::max(longest, root.trip_counts[m]);
  }
  return longest;
}

absl::Status ChooseLocalMemory(const Kernel& kernel, CudaKernelPlan& plan, Chooser& chooser) {
  if (plan.axes.empty() || !kernel.bands[0].innermost) return absl::OkStatus();
  const int64_t longest = LongestSerialMember(kernel, plan);
  if (!kernel.read_only_arrays.empty()) {
    // Without a loop there is only what neighbours share, and the caches serve that; with one axis the
    // elements of a tile are used too seldom to pay for its filling.
    const bool pays = longest > 0 && plan.axes.size() > 1;
    TUNE_ASSIGN_OR_RETURN(plan.shared, ChooseSwitch(chooser, kernel.name + ".shared", pays));
  }
  if (plan.shared && longest > 0) {
    std::vector<int64_t> sizes = {8, 16, 32, 64};
    std::vector<bool> allowed;
    for (const int64_t size : sizes) allowed.push_back(size == sizes[0] || longest > size / 2);
    TUNE_ASSIGN_OR_RETURN(plan.inner_tile, ChooseNumber(chooser, kernel.name + ".inner_tile", sizes, allowed,
                                                        allowed[1] ? 16 : 8));
  }
  if (longest > 0) {
    TUNE_ASSIGN_OR_RETURN(plan.registers, ChooseSwitch(chooser, kernel.name + ".registers", true));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CudaKernelPlan> WalkCudaKernel(const Kernel& kernel, const CudaSpaceOptions& options,
                                              Chooser& chooser) {
  CudaKernelPlan plan;
  plan.name = kernel.name;
  for (const int member : MappedMembers(kernel)) plan.axes.push_back({member});
  Budget budget{options.max_threads, kMostPoints};
  for (size_t place = 0; place < plan.axes.size(); ++place) {
    TUNE_RETURN_IF_ERROR(ChooseAxis(kernel, plan.axes.size(), place, options, chooser, budget,
                                    plan.axes[plan.axes.size() - 1 - place]));
  }
  TUNE_RETURN_IF_ERROR(ChooseLocalMemory(kernel, plan, chooser));
  const int64_t longest = LongestInnermostLoop(kernel, plan);
  if (longest == 0) return plan;
  std::vector<bool> allowed;
  for (const int64_t factor : kUnrollFactors) allowed.push_back(longest >= factor);
  TUNE_ASSIGN_OR_RETURN(plan.unroll, ChooseNumber(chooser, absl::StrCat(kernel.name, ".unroll"),
                                                  {std::begin(kUnrollFactors), std::end(kUnrollFactors)},
                                                  allowed, plan.shared && allowed.back() ? 8 : 1));
  return plan;
}

}  // namespace tune
