#include "common/transform/split_extrema/part_widths.h"

#include <algorithm>

namespace tune {

PartLimits PartLimitsOf(const DeviceFacts& device) {
  PartLimits limits;
  if (device.compute_capability_major > 0)
    limits.most = std::max<int64_t>(limits.joined, static_cast<int64_t>(device.Threads()) / 4);
  return limits;
}

std::vector<int64_t> PartsOfLoops(const std::vector<int64_t>& counts, const PartLimits& limits) {
  int64_t all = 1;
  for (const int64_t count : counts) all *= count;
  int64_t left = std::min(all / limits.each, limits.most);
  if (all < limits.least || left < 2) return {};
  std::vector<int64_t> parts(counts.size(), 1);
  for (size_t loop = counts.size(); loop-- > 0 && left > 1;) {
    const bool rounds = loop + 1 == counts.size() && left < counts[loop] && left > limits.neighbours;
    parts[loop] = rounds ? left - left % limits.neighbours : std::min(counts[loop], left);
    left /= parts[loop];
  }
  return parts;
}

std::vector<int64_t> WidthsOfSteps(int64_t parts, const PartLimits& limits) {
  std::vector<int64_t> widths;
  for (int64_t width = parts; width > 1;) {
    width = width <= 2 * limits.joined ? 1 : (width + limits.joined - 1) / limits.joined;
    widths.push_back(width);
  }
  return widths;
}

}  // namespace tune
