#include "common/space/cuda_reduction_walk.h"

#include <algorithm>

#include "common/space/mapped_instances.h"
#include "common/space/simple_choices.h"

namespace tune {
namespace {

constexpr size_t kMostMappedAxes = 2;
constexpr int64_t kShortestLoop = 64;  // that is worth sharing out by default
constexpr int64_t kLeastOfBlock = 8;   // iterations
// By default a thread has so many iterations of a reduction that blocks share.
constexpr int64_t kIterationsOfThread = 8;
constexpr int64_t kFewThreads = 8;  // of a block along y
const std::vector<int64_t> kReductionBlocks = {1, 2, 4, 8, 16, 32, 64, 128, 256};

enum Place { kSerial, kX, kY };

Place DefaultPlace(const Kernel& kernel, const DeviceFacts& device, const CudaKernelPlan& plan,
                   int64_t trip_count) {
  if (MappedInstances(kernel, plan, device) >= EnoughInstances(device)) return kSerial;
  if (trip_count >= 0 && trip_count < kShortestLoop) return kSerial;
  return plan.axes.empty() || kernel.reduction->contiguous ? kX : kY;
}

// Of a block: as many as fill the device, at least a warp along x, where there are iterations for all.
int64_t DefaultThreads(const Kernel& kernel, const CudaSpaceOptions& options, const CudaKernelPlan& plan,
                       Place place, int64_t trip_count) {
  const double wanted = options.device.Threads() / MappedInstances(kernel, plan, options.device);
  const int64_t most = plan.axes.empty() ? 1024 : place == kX ? 256 : 64;
  int64_t threads = place == kX ? 32 : kFewThreads;
  while (threads < most && 2.0 * static_cast<double>(threads) <= wanted &&
         (trip_count < 0 || 4 * threads <= trip_count)) {
    threads *= 2;
  }
  return threads;
}

absl::StatusOr<Place> ChoosePlace(const Kernel& kernel, const DeviceFacts& device, const CudaKernelPlan& plan,
                                  int64_t trip_count, Chooser& chooser) {
  TUNE_ASSIGN_OR_RETURN(
      const int chosen,
      ChooseOption(chooser, kernel.name + ".reduction", {"serial", "x", "y"},
                   DefaultPlace(kernel, device, plan, trip_count), {true, true, !plan.axes.empty()}));
  return static_cast<Place>(chosen);
}

// As many blocks as fill the device, where each gets enough to do.
int64_t DefaultBlocks(const Kernel& kernel, const CudaSpaceOptions& options, const CudaKernelPlan& plan,
                      int64_t threads, int64_t trip_count) {
  if (!BlocksCanAdd(kernel, options.device)) return 1;
  const double wanted = options.device.Threads() /
                        (MappedInstances(kernel, plan, options.device) * static_cast<double>(threads));
  int64_t blocks = 1;
  while (2.0 * static_cast<double>(blocks) <= wanted &&
         2 * blocks * threads * kIterationsOfThread <= trip_count)
    blocks *= 2;
  return std::min(blocks, kReductionBlocks.back());
}

// Who shares the iterations of a reduction.
struct Shares {
  int64_t threads = 1;  // of a block
  int64_t blocks = 1;
};

// Along y blocks with few threads each where these alone are no fewer: they are spread more evenly, and a
// block leaves room for a whole warp along x.
Shares DefaultShares(const Kernel& kernel, const CudaSpaceOptions& options, const CudaKernelPlan& plan,
                     Place place, int64_t trip_count) {
  const auto with = [&](int64_t threads) {
    return Shares{threads, DefaultBlocks(kernel, options, plan, threads, trip_count)};
  };
  const Shares wide = with(DefaultThreads(kernel, options, plan, place, trip_count));
  const Shares narrow = with(kFewThreads);
  const bool spread = place == kY && narrow.threads * narrow.blocks >= wide.threads * wide.blocks;
  return spread ? narrow : wide;
}

// Blocks that share the reduction.
absl::StatusOr<int64_t> ChooseBlocks(const Kernel& kernel, const DeviceFacts& device, int64_t trip_count,
                                     int64_t standard, Chooser& chooser) {
  if (!BlocksCanAdd(kernel, device) || trip_count < 2 * kLeastOfBlock) return 1;
  std::vector<bool> allowed;
  for (const int64_t blocks : kReductionBlocks)
    allowed.push_back(blocks == 1 || blocks * kLeastOfBlock <= trip_count);
  return ChooseNumber(chooser, kernel.name + ".reduction_blocks", kReductionBlocks, allowed, standard);
}

// The least multiple of `threads` that makes no more than `blocks` blocks; 0 for one block.
int64_t IterationsOfBlock(int64_t trip_count, int64_t blocks, int64_t threads) {
  if (blocks == 1) return 0;
  return (trip_count + blocks * threads - 1) / (blocks * threads) * threads;
}

}  // namespace

bool BlocksCanAdd(const Kernel& kernel, const DeviceFacts& device) {
  return kernel.reduction && kernel.reduction->atomic &&
         (!kernel.reduction->adds_doubles || device.HasAtomicAddOfDoubles());
}

absl::Status ChooseReduction(const Kernel& kernel, const CudaSpaceOptions& options, Chooser& chooser,
                             CudaBudget& budget, CudaKernelPlan& plan) {
  if (options.exact || !kernel.reduction || plan.axes.size() > kMostMappedAxes) return absl::OkStatus();
  const int member = kernel.reduction->member;
  const int64_t trip_count = kernel.bands[0].trip_counts[member];
  TUNE_ASSIGN_OR_RETURN(const Place place, ChoosePlace(kernel, options.device, plan, trip_count, chooser));
  if (place == kSerial) return absl::OkStatus();
  Shares standard = DefaultShares(kernel, options, plan, place, trip_count);
  TUNE_ASSIGN_OR_RETURN(const int64_t blocks,
                        ChooseBlocks(kernel, options.device, trip_count, standard.blocks, chooser));
  std::vector<int64_t> sizes;
  std::vector<bool> allowed;
  const int64_t smallest = place == kX ? 8 : 2;
  // Along y, blocks may share it and their threads not.
  for (int64_t size = place == kX ? smallest : 1; size <= (place == kX ? 1024 : 64); size *= 2) {
    sizes.push_back(size);
    allowed.push_back(size <= budget.threads && (size < smallest ? blocks > 1 : true) &&
                      (size <= smallest || trip_count < 0 || size <= trip_count));
  }
  while (!allowed[std::find(sizes.begin(), sizes.end(), standard.threads) - sizes.begin()])
    standard.threads /= 2;
  TUNE_ASSIGN_OR_RETURN(const int64_t threads,
                        ChooseNumber(chooser, absl::StrCat(kernel.name, ".block_size_", member), sizes,
                                     allowed, standard.threads));
  budget.threads /= threads;
  const CudaAxis axis{member, IterationsOfBlock(trip_count, blocks, threads), threads, /*reduction=*/true};
  plan.axes.insert(place == kX ? plan.axes.end() : plan.axes.end() - 1, axis);
  return absl::OkStatus();
}

}  // namespace tune
