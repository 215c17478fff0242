#include "common/space/cuda_launches_walk.h"

#include <algorithm>
#include <cmath>

#include "common/space/simple_choices.h"

namespace tune {
namespace {

// Iterations of one launch up to which the launch itself costs more than running them in one block, or on the
// device after a barrier of all blocks. On an H200 that barrier takes about as long as a launch, and threads
// that take turns are slower than blocks of their own.
constexpr double kMostForOneBlock = 32768;
constexpr double kMostForGrid = 250'000;
// From here on one block, of which the device runs hundreds at once, is out of the question.
constexpr double kTooManyForOneBlock = 32 * kMostForOneBlock;

// All combinations of values of the root band's members; infinite when unknown.
double Iterations(const Kernel& kernel) {
  double iterations = 1;
  if (kernel.bands.empty()) return iterations;
  for (const int64_t trip_count : kernel.bands[0].trip_counts)
    iterations *= trip_count < 0 ? HUGE_VAL : static_cast<double>(std::max<int64_t>(1, trip_count));
  return iterations;
}

double MostIterations(const std::vector<Kernel>& kernels) {
  double most = 0;
  for (const Kernel& kernel : kernels) most = std::max(most, Iterations(kernel));
  return most;
}

// `fit`: all may run in one launch of one block; `grid`: also of several.
CudaLaunches DefaultLaunches(const std::vector<Kernel>& kernels, bool fit, bool grid) {
  const double most = MostIterations(kernels);
  const bool repeated =
      std::any_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) { return kernel.host_depth > 0; });
  if (!repeated) return CudaLaunches::kSeparate;
  if (!fit || most > kMostForGrid) return CudaLaunches::kGraph;
  if (most <= kMostForOneBlock) return CudaLaunches::kOneBlock;
  return grid ? CudaLaunches::kGrid : CudaLaunches::kGraph;
}

bool HasBarriers(const CudaKernelPlan& kernel) { return kernel.shared || kernel.HasReduction(); }

bool FitOneLaunch(const CudaPlan& plan, const DeviceFacts& device) {
  const int64_t threads = CommonThreads(plan, device);
  return std::all_of(plan.kernels.begin(), plan.kernels.end(), [&](const CudaKernelPlan& kernel) {
    return !kernel.opt_in &&
           (kernel.Threads() == threads || (kernel.Threads() < threads && !HasBarriers(kernel)));
  });
}

}  // namespace

int64_t CommonThreads(const CudaPlan& plan, const DeviceFacts& device) {
  for (const CudaKernelPlan& kernel : plan.kernels) {
    if (HasBarriers(kernel)) return kernel.Threads();
  }
  return device.max_threads_per_block;
}

absl::Status ChooseLaunches(const DeviceFacts& device, Chooser& chooser, CudaPlan& plan) {
  const std::vector<Kernel>& kernels = plan.scheduled->kernels;
  if (kernels.empty() || (kernels.size() == 1 && kernels[0].host_depth == 0)) return absl::OkStatus();
  const bool fit = FitOneLaunch(plan, device);
  const bool grid = fit && device.cooperative_launch;
  const int standard = static_cast<int>(DefaultLaunches(kernels, fit, grid));
  const bool small = MostIterations(kernels) <= kTooManyForOneBlock;
  TUNE_ASSIGN_OR_RETURN(const int chosen,
                        ChooseOption(chooser, "launches", {"separate", "one_block", "grid", "graph"},
                                     standard, {true, fit && small, grid, true}));
  plan.launches = static_cast<CudaLaunches>(chosen);
  return absl::OkStatus();
}

}  // namespace tune
