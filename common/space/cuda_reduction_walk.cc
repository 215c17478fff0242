#include "common/space/cuda_reduction_walk.h"

#include <algorithm>

#include "common/space/simple_choices.h"

namespace tune {
namespace {

constexpr size_t kMostMappedAxes = 2;
// A device is full with this many threads that run a whole loop each.
constexpr double kEnoughInstances = 65536;
constexpr int64_t kShortestLoop = 64;  // that is worth sharing out by default

enum Place { kSerial, kX, kY };

// Threads beside those of a reduction: all combinations of values of the mapped members.
double MappedInstances(const Kernel& kernel, const CudaKernelPlan& plan) {
  double instances = 1;
  for (const CudaAxis& axis : plan.axes) {
    const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
    instances *= trip_count < 0 ? kEnoughInstances : static_cast<double>(trip_count);
  }
  return instances;
}

Place DefaultPlace(const Kernel& kernel, const CudaKernelPlan& plan, int64_t trip_count) {
  if (MappedInstances(kernel, plan) >= kEnoughInstances) return kSerial;
  if (trip_count >= 0 && trip_count < kShortestLoop) return kSerial;
  return plan.axes.empty() || kernel.reduction->contiguous ? kX : kY;
}

// As many as the device holds at once, at least a warp along x, where there are iterations for all.
int64_t DefaultThreads(const Kernel& kernel, const CudaSpaceOptions& options, const CudaKernelPlan& plan,
                       Place place, int64_t trip_count) {
  const double wanted = options.multiprocessors * kThreadsOfMultiprocessor / MappedInstances(kernel, plan);
  const int64_t most = plan.axes.empty() ? 1024 : place == kX ? 256 : 64;
  int64_t threads = place == kX ? 32 : 8;
  while (threads < most && 2.0 * static_cast<double>(threads) <= wanted &&
         (trip_count < 0 || 4 * threads <= trip_count)) {
    threads *= 2;
  }
  return threads;
}

absl::StatusOr<Place> ChoosePlace(const Kernel& kernel, const CudaKernelPlan& plan, int64_t trip_count,
                                  Chooser& chooser) {
  TUNE_ASSIGN_OR_RETURN(
      const int chosen,
      ChooseOption(chooser, kernel.name + ".reduction", {"serial", "x", "y"},
                   DefaultPlace(kernel, plan, trip_count), {true, true, !plan.axes.empty()}));
  return static_cast<Place>(chosen);
}

}  // namespace

absl::Status ChooseReduction(const Kernel& kernel, const CudaSpaceOptions& options, Chooser& chooser,
                             CudaBudget& budget, CudaKernelPlan& plan) {
  if (!kernel.reduction || plan.axes.size() > kMostMappedAxes) return absl::OkStatus();
  const int member = kernel.reduction->member;
  const int64_t trip_count = kernel.bands[0].trip_counts[member];
  TUNE_ASSIGN_OR_RETURN(const Place place, ChoosePlace(kernel, plan, trip_count, chooser));
  if (place == kSerial) return absl::OkStatus();
  std::vector<int64_t> sizes;
  std::vector<bool> allowed;
  for (int64_t size = place == kX ? 8 : 2; size <= (place == kX ? 1024 : 64); size *= 2) {
    sizes.push_back(size);
    allowed.push_back(size <= budget.threads && (sizes.size() == 1 || trip_count < 0 || size <= trip_count));
  }
  int64_t standard = DefaultThreads(kernel, options, plan, place, trip_count);
  while (!allowed[std::find(sizes.begin(), sizes.end(), standard) - sizes.begin()]) standard /= 2;
  TUNE_ASSIGN_OR_RETURN(
      const int64_t threads,
      ChooseNumber(chooser, absl::StrCat(kernel.name, ".block_size_", member), sizes, allowed, standard));
  budget.threads /= threads;
  const CudaAxis axis{member, 0, threads, /*reduction=*/true};
  plan.axes.insert(place == kX ? plan.axes.end() : plan.axes.end() - 1, axis);
  return absl::OkStatus();
}

}  // namespace tune
