#include "common/space/cuda_local_memory_walk.h"

#include "common/kernel/trip_count.h"
#include "common/space/mapped_instances.h"
#include "common/space/simple_choices.h"

namespace tune {
namespace {

constexpr int64_t kLongLoop = 64;  // whose data is worth fetching ahead
constexpr int64_t kFewThreadsOfBlock = 128;
constexpr int64_t kFillingThreads = 512;   // of a block, by default
constexpr int64_t kFilledElements = 4096;  // of a tile that others fill, by default
constexpr int64_t kLongestTile = 64;       // that those who use it fill
const std::vector<int64_t> kFillThreads = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
const std::vector<int64_t> kInnerTiles = {8, 16, 32, 64, 128, 256, 512, 1024, 2048};

absl::Status ChooseFillThreads(const Kernel& kernel, const CudaSpaceOptions& options, CudaBudget& budget,
                               Chooser& chooser, CudaKernelPlan& plan) {
  const int64_t running = plan.Threads();
  if (plan.axes.size() > 2 || running > kFewThreadsOfBlock || LongestSerialMember(kernel, plan) < kLongLoop)
    return absl::OkStatus();
  std::vector<bool> allowed;
  for (const int64_t threads : kFillThreads)
    allowed.push_back(threads <= budget.threads && (plan.axes.size() < 2 || threads <= kMostInZ) &&
                      (threads > 1 || !plan.axes.empty()));
  const int64_t wanted = WaitsForTerms(kernel, plan, options) ? kFillingThreads / running : 1;
  TUNE_ASSIGN_OR_RETURN(plan.fill_threads, ChooseNumber(chooser, kernel.name + ".fill_threads", kFillThreads,
                                                        allowed, Nearest(kFillThreads, allowed, wanted)));
  budget.threads /= plan.fill_threads;
  return absl::OkStatus();
}

// Of the serial loops, where there are any.
absl::Status ChooseTiles(const Kernel& kernel, Chooser& chooser, CudaKernelPlan& plan) {
  const int64_t longest = LongestSerialMember(kernel, plan);
  if (longest == 0) return absl::OkStatus();
  const bool filled = plan.fill_threads > 1;
  std::vector<bool> allowed;
  for (const int64_t size : kInnerTiles)
    allowed.push_back(size == kInnerTiles[0] || (longest > size / 2 && (filled || size <= kLongestTile)));
  const int64_t wanted = filled ? kFilledElements * plan.fill_threads / plan.Threads() : 16;
  TUNE_ASSIGN_OR_RETURN(plan.inner_tile, ChooseNumber(chooser, kernel.name + ".inner_tile", kInnerTiles,
                                                      allowed, Nearest(kInnerTiles, allowed, wanted)));
  // A second copy pays from the third tile on: until then there is nothing to fetch ahead.
  const bool ahead = filled && longest > 2 * plan.inner_tile;
  TUNE_ASSIGN_OR_RETURN(plan.buffers,
                        ChooseNumber(chooser, kernel.name + ".buffers", {1, 2}, {true, true}, ahead ? 2 : 1));
  return absl::OkStatus();
}

}  // namespace

int64_t LongestOfBand(const Kernel& kernel, const CudaKernelPlan& plan, size_t band) {
  int64_t longest = 0;
  for (int m = 0; m < kernel.bands[band].member_count(); ++m) {
    const int64_t trip_count = kernel.bands[band].trip_counts[m];
    if ((band == 0 && plan.IsMapped(m)) || !Repeats(trip_count)) continue;
    longest = std::max(longest, trip_count < 0 ? INT64_MAX : trip_count);
  }
  return longest;
}

int64_t LongestSerialMember(const Kernel& kernel, const CudaKernelPlan& plan) {
  return LongestOfBand(kernel, plan, 0);
}

bool WaitsForTerms(const Kernel& kernel, const CudaKernelPlan& plan, const CudaSpaceOptions& options) {
  return options.exact && kernel.reduction && !kernel.read_only_arrays.empty() &&
         LongestSerialMember(kernel, plan) >= kLongLoop &&
         MappedInstances(kernel, plan, options.device) < EnoughInstances(options.device);
}

absl::Status ChooseLocalMemory(const Kernel& kernel, const CudaSpaceOptions& options, CudaBudget& budget,
                               Chooser& chooser, CudaKernelPlan& plan) {
  if (kernel.bands.empty() || !kernel.bands[0].innermost || plan.HasReduction()) return absl::OkStatus();
  const int64_t longest = LongestSerialMember(kernel, plan);
  const bool alone = plan.axes.empty();
  if (alone && longest < kLongLoop) return absl::OkStatus();
  if (!kernel.read_only_arrays.empty()) {
    // Without a loop there is only what neighbours share, and the caches serve that; with one axis the
    // elements of a tile are used too seldom to pay for its filling, unless others fill it.
    const bool pays = (longest > 0 && plan.axes.size() > 1) || WaitsForTerms(kernel, plan, options);
    TUNE_ASSIGN_OR_RETURN(const int shared,
                          ChooseOption(chooser, kernel.name + ".shared", {"off", "on", "opt_in"},
                                       pays ? 1 : 0, {true, true, options.device.HasOptIn()}));
    plan.shared = shared > 0;
    plan.opt_in = shared > 1;
  }
  if (plan.shared) {
    TUNE_RETURN_IF_ERROR(ChooseFillThreads(kernel, options, budget, chooser, plan));
    TUNE_RETURN_IF_ERROR(ChooseTiles(kernel, chooser, plan));
  }
  // One thread alone keeps what it can without being told.
  if (longest > 0 && (!alone || plan.shared)) {
    TUNE_ASSIGN_OR_RETURN(plan.registers, ChooseSwitch(chooser, kernel.name + ".registers", true));
  }
  return absl::OkStatus();
}

}  // namespace tune
