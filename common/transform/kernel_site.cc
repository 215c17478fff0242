#include "common/transform/kernel_site.h"

#include <algorithm>
#include <cmath>

#include "common/kernel/trip_count.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/register_rows/register_rows.h"

namespace tune {

int64_t KernelSite::ThreadsLeft() const { return device.max_threads_per_block / threads().Threads(); }

int64_t KernelSite::PointsLeft() const {
  return (MultipliesHalves() ? kMostPointsOfHalves : kMostPoints) / threads().Points();
}

int64_t KernelSite::MostRegisters() const {
  constexpr int64_t kMostOfThread = 255;  // CUDA C++ Programming Guide, since 3.5
  return std::min(kMostOfThread, device.registers_per_multiprocessor / threads().Threads());
}

int64_t KernelSite::LongestOfBand(size_t band) const {
  int64_t longest = 0;
  for (int m = 0; m < kernel.bands[band].member_count(); ++m) {
    const int64_t trip_count = kernel.bands[band].trip_counts[m];
    if (!IsLoop(band, m)) continue;
    longest = std::max(longest, trip_count < 0 ? INT64_MAX : trip_count);
  }
  return longest;
}

double EnoughInstances(const DeviceFacts& device) {
  return std::exp2(std::round(std::log2(device.Threads() / 4)));
}

double KernelSite::MappedInstances() const {
  double instances = 1;
  for (const CudaAxis& axis : threads().axes) {
    const int64_t trip_count = TripCount(axis.member);
    if (axis.reduction) continue;
    instances *= trip_count < 0 ? EnoughInstances() : static_cast<double>(trip_count);
  }
  return instances;
}

bool KernelSite::WaitsForTerms() const {
  return exact && kernel.reduction && !kernel.constant_reads.empty() && LongestSerialMember() >= kLongLoop &&
         MappedInstances() < EnoughInstances();
}

bool KernelSite::IsLoop(size_t band, int member) const {
  if (band == 0 && (threads().IsMapped(member) || plan.Get<RegisterRows>().on)) return false;
  return Repeats(kernel.bands[band].trip_counts[member]);
}

std::optional<int> KernelSite::InnerMember(size_t band) const {
  const KernelBand& of = kernel.bands[band];
  std::optional<int> inner;
  for (int m = 0; m < of.member_count(); ++m) {
    if (!IsLoop(band, m)) continue;
    const auto is_sum = [&](int member) { return !of.sums.empty() && of.sums[member]; };
    // Sums are inside of the others (SerialLoops).
    if (!inner || is_sum(m) || !is_sum(*inner)) inner = m;
  }
  return inner;
}

std::optional<InnerLoop> KernelSite::LongestRecurrence() const {
  std::optional<InnerLoop> longest;
  const auto length = [](int64_t iterations) { return iterations < 0 ? INT64_MAX : iterations; };
  for (size_t b = 0; b < kernel.bands.size(); ++b) {
    const KernelBand& band = kernel.bands[b];
    if (!band.innermost) continue;
    const std::optional<int> member = InnerMember(b);
    if (!member || band.coincident[*member]) continue;
    const int64_t iterations = band.trip_counts[*member];
    if (longest && length(longest->iterations) >= length(iterations)) continue;
    longest = InnerLoop{iterations, band.words_read.empty() ? 0 : band.words_read[*member],
                        !band.along_rows.empty() && band.along_rows[*member]};
  }
  return longest;
}

bool KernelSite::WaitsInRecurrence() const {
  if (kernel.reduction || threads().HasReduction() || MappedInstances() >= EnoughInstances()) return false;
  const std::optional<InnerLoop> loop = LongestRecurrence();
  return loop && (loop->iterations < 0 || loop->iterations >= kLongLoop);
}

bool KernelSite::CanKeepTiles() const {
  if (kernel.bands.empty() || !kernel.bands[0].innermost || threads().HasReduction()) return false;
  if (kernel.tile_loops.count > 0) return false;
  return !threads().axes.empty() || LongestSerialMember() >= kLongLoop;
}

}  // namespace tune
