#include "common/space/cpu_kernel_walk.h"

#include <algorithm>

#include "common/decision/simple_choices.h"
#include "common/kernel/trip_count.h"

namespace tune {
namespace {

constexpr int64_t kTileSizes[] = {0, 4, 8, 16, 32, 64, 128, 256};
constexpr int64_t kDefaultTileSize = 32;
constexpr int64_t kCpuUnrollFactors[] = {1, 2, 4, 8};
// Iterations whose data the first-level cache holds at least.
constexpr double kCachedIterations = 2048;
// Below this many iterations starting threads costs more than it gains.
constexpr double kSmallestParallelWork = 100'000;
// The same of a product in register tiles, whose iterations are so much faster.
constexpr double kSmallestParallelProduct = 1'000'000;

bool Reaches(int64_t trip_count, int64_t count) { return trip_count < 0 || trip_count >= count; }

// Strip-mining one loop alone changes nothing, except that it makes chunks for threads.
bool IsTilable(const KernelBand& band, bool is_root) {
  if (!band.permutable) return false;
  return band.member_count() >= 2 || (is_root && band.coincident[0]);
}

// Whether what an iteration of the outermost member touches is still in the cache when the next one comes:
// tiles would only make the loops shorter.
bool StaysInCache(const KernelBand& band) {
  double inside = 1;
  for (int m = 1; m < band.member_count(); ++m) {
    if (band.trip_counts[m] < 0) return false;
    inside *= band.trip_counts[m];
  }
  return band.innermost && inside <= kCachedIterations;
}

absl::StatusOr<int64_t> ChooseTileSize(const KernelBand& band, int member, bool written,
                                       const std::string& key, Chooser& chooser) {
  const int64_t trip_count = band.trip_counts[member];
  if (!Repeats(trip_count)) return 0;
  std::vector<bool> allowed;
  for (const int64_t size : kTileSizes) allowed.push_back(Reaches(trip_count, size));
  const bool tile = !written && band.member_count() >= 2 && !StaysInCache(band) &&
                    (trip_count < 0 || trip_count > kDefaultTileSize);
  return ChooseNumber(chooser, key, {std::begin(kTileSizes), std::end(kTileSizes)}, allowed,
                      tile ? kDefaultTileSize : 0);
}

absl::Status ChooseTileSizes(const Kernel& kernel, bool written, CpuKernelPlan& plan, Chooser& chooser) {
  for (size_t b = 0; b < kernel.bands.size(); ++b) {
    const KernelBand& band = kernel.bands[b];
    CpuBandPlan band_plan;
    band_plan.tile_sizes.assign(band.member_count(), 0);
    const std::string prefix = b == 0 ? kernel.name : absl::StrCat(kernel.name, ".b", b);
    for (int m = 0; IsTilable(band, b == 0) && m < band.member_count(); ++m) {
      TUNE_ASSIGN_OR_RETURN(
          band_plan.tile_sizes[m],
          ChooseTileSize(band, m, written, absl::StrCat(prefix, ".tile_size_", m), chooser));
    }
    plan.bands.push_back(std::move(band_plan));
  }
  return absl::OkStatus();
}

// Iterations of one execution of the kernel: the largest product of trip counts from its root to an innermost
// band.
double LargestWork(const Kernel& kernel) {
  double largest = 0;
  std::vector<const KernelBand*> path;
  for (const KernelBand& band : kernel.bands) {
    while (!path.empty() && path.back()->depth + path.back()->member_count() > band.depth) path.pop_back();
    path.push_back(&band);
    double work = 1;
    for (const KernelBand* each : path) {
      for (const int64_t count : each->trip_counts) work *= count < 0 ? kSmallestParallelWork : count;
    }
    largest = std::max(largest, work);
  }
  return largest;
}

absl::Status ChooseInnermost(const Kernel& kernel, CpuKernelPlan& plan, Chooser& chooser) {
  bool loops = false, coincident = false;
  int64_t trip_count = 0;  // of the longest innermost loop
  for (const KernelBand& band : kernel.bands) {
    if (!band.innermost || band.member_count() == 0 || !Repeats(band.trip_counts.back())) continue;
    loops = true;
    coincident |= band.coincident.back();
    trip_count =
        trip_count < 0 || band.trip_counts.back() < 0 ? -1 : std::max(trip_count, band.trip_counts.back());
  }
  if (!loops) return absl::OkStatus();
  std::vector<bool> allowed;
  for (const int64_t factor : kCpuUnrollFactors) allowed.push_back(Reaches(trip_count, factor));
  TUNE_ASSIGN_OR_RETURN(
      plan.unroll, ChooseNumber(chooser, absl::StrCat(kernel.name, ".unroll"),
                                {std::begin(kCpuUnrollFactors), std::end(kCpuUnrollFactors)}, allowed, 1));
  if (!coincident) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(plan.simd, ChooseSwitch(chooser, absl::StrCat(kernel.name, ".simd"), true));
  return absl::OkStatus();
}

}  // namespace

absl::Status ChooseCpuParallel(const Kernel& kernel, const CpuSpaceOptions& options, bool first_only,
                               CpuKernelPlan& plan, Chooser& chooser) {
  if (kernel.bands.empty() || options.hardware_threads < 2) return absl::OkStatus();
  const KernelBand& root = kernel.bands[0];
  std::vector<std::string> choices = {"none"};
  std::vector<int> members = {-1};
  for (int m = 0; m < root.member_count(); ++m) {
    if (!root.coincident[m] || !Repeats(root.trip_counts[m])) continue;
    choices.push_back(absl::StrCat(m));
    members.push_back(m);
  }
  if (members.size() == 1) return absl::OkStatus();
  const double smallest = plan.product ? kSmallestParallelProduct : kSmallestParallelWork;
  std::vector<bool> allowed(members.size(), !first_only);
  allowed[0] = allowed[1] = true;
  TUNE_ASSIGN_OR_RETURN(const int chosen,
                        ChooseOption(chooser, absl::StrCat(kernel.name, ".parallel"), choices,
                                     LargestWork(kernel) >= smallest ? 1 : 0, allowed));
  plan.parallel_member = members[chosen];
  if (plan.parallel_member < 0) return absl::OkStatus();

  std::vector<int64_t> threads;
  for (int64_t count = 2; count < options.hardware_threads; count *= 2) threads.push_back(count);
  threads.push_back(options.hardware_threads);
  TUNE_ASSIGN_OR_RETURN(const int64_t count, ChooseNumber(chooser, absl::StrCat(kernel.name, ".threads"),
                                                          threads, {}, options.hardware_threads));
  plan.threads = static_cast<int>(count);
  plan.all_threads = plan.threads == options.hardware_threads;
  return absl::OkStatus();
}

absl::StatusOr<CpuKernelPlan> WalkCpuKernel(const Kernel& kernel, bool written,
                                            const CpuSpaceOptions& options, Chooser& chooser) {
  CpuKernelPlan plan;
  plan.name = kernel.name;
  TUNE_RETURN_IF_ERROR(ChooseTileSizes(kernel, written, plan, chooser));
  TUNE_RETURN_IF_ERROR(ChooseCpuParallel(kernel, options, /*first_only=*/false, plan, chooser));
  TUNE_RETURN_IF_ERROR(ChooseInnermost(kernel, plan, chooser));
  return plan;
}

}  // namespace tune
