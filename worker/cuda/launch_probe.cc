#include "worker/cuda/launch_probe.h"

#include <algorithm>

namespace tune {
namespace {

constexpr size_t kMostLaunches = 16;  // that are made
// All blocks over those of a part, at least.
constexpr int64_t kManyTimes = 4;
// Of the time between two events around a launch, what is not the kernel's.
constexpr double kLaunchSeconds = 4e-6;

int64_t Blocks(const unsigned grid[3]) { return int64_t{grid[0]} * grid[1] * grid[2]; }

}  // namespace

void ShrinkGrid(int64_t most, unsigned grid[3]) {
  for (int axis = 2; axis >= 0 && Blocks(grid) > most; --axis) {
    const int64_t others = Blocks(grid) / grid[axis];
    grid[axis] = static_cast<unsigned>(std::max<int64_t>(1, most / others));
  }
}

absl::StatusOr<LaunchProbe> LaunchProbe::Make(const DeviceSession& session) {
  LaunchProbe probe;
  probe.multiprocessors_ = session.multiprocessors();
  for (size_t i = 0; i < kMostLaunches; ++i) {
    TUNE_ASSIGN_OR_RETURN(DeviceEvent begin, DeviceEvent::Make(session));
    TUNE_ASSIGN_OR_RETURN(DeviceEvent end, DeviceEvent::Make(session));
    probe.intervals_.push_back({std::move(begin), std::move(end)});
  }
  return probe;
}

std::map<size_t, LaunchProbe::Part> LaunchProbe::ChooseParts(
    const LoadedCandidate& candidate, const std::vector<PlannedLaunch>& launches,
    const std::vector<v1::KernelEvaluation>& facts) const {
  std::map<int, std::vector<size_t>> of_kernel;
  for (size_t i = 0; i < launches.size(); ++i) of_kernel[launches[i].kernel].push_back(i);
  std::map<size_t, Part> parts;
  for (const auto& [kernel, indices] : of_kernel) {
    const int64_t at_once = int64_t{facts[kernel].blocks_per_multiprocessor()} * multiprocessors_;
    if (candidate.cooperative(kernel) || at_once == 0) return {};
    const size_t count = std::min(indices.size(), kMostLaunches / of_kernel.size());
    for (size_t i = 0; i < count; ++i) {
      const size_t index = indices[(2 * i + 1) * indices.size() / (2 * count)];
      Part& part = parts[index];
      std::copy_n(launches[index].grid, 3, part.grid);
      ShrinkGrid(at_once, part.grid);
      part.weight = static_cast<double>(Blocks(launches[index].grid)) /
                    static_cast<double>(Blocks(part.grid)) * static_cast<double>(indices.size()) /
                    static_cast<double>(count);
    }
  }
  return parts;
}

absl::StatusOr<std::optional<LaunchProbe::Estimate>> LaunchProbe::Measure(LoadedCandidate& candidate,
                                                                          const CandidateMemory& memory,
                                                                          RegionRun& run) {
  const std::optional<Estimate> nothing;
  // 1. Which launches there are.
  std::vector<PlannedLaunch> launches;
  LoadedCandidate::Hooks count;
  count.change = [&](PlannedLaunch* launch) {
    launches.push_back(*launch);
    return false;
  };
  if (candidate.Enqueue(memory.memory.data(), memory.host.data(), count).result != CUDA_SUCCESS)
    return nothing;
  // 2. A part that tells.
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::KernelEvaluation> facts, candidate.Facts());
  const std::map<size_t, Part> parts = ChooseParts(candidate, launches, facts);
  Estimate estimate;
  for (const PlannedLaunch& launch : launches) estimate.all += Blocks(launch.grid);
  for (const auto& [index, part] : parts) estimate.blocks += Blocks(part.grid);
  if (parts.empty() || estimate.all < kManyTimes * estimate.blocks) return nothing;
  // 3. Each launch of it between two events.
  size_t launch_index = 0, next = 0;
  LoadedCandidate::Hooks hooks;
  hooks.change = [&](PlannedLaunch* launch) {
    const auto part = parts.find(launch_index++);
    if (part == parts.end()) return false;
    std::copy_n(part->second.grid, 3, launch->grid);
    return true;
  };
  hooks.before = [&](int) { return intervals_[next].begin.Record(); };
  hooks.after = [&](int) { return intervals_[next++].end.Record(); };
  TUNE_ASSIGN_OR_RETURN(estimate.end, run.Timed(candidate, memory, hooks));
  if (estimate.end.kind != RegionRunEnd::Kind::kDone) return estimate;
  // 4. The whole.
  next = 0;
  for (const auto& [index, part] : parts) {
    TUNE_ASSIGN_OR_RETURN(const double seconds, intervals_[next].end.SecondsSince(intervals_[next].begin));
    estimate.seconds += std::max(0.0, seconds - kLaunchSeconds) * part.weight;
    ++next;
  }
  return estimate;
}

}  // namespace tune
