#include "worker/codegen/fewer_launches.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tune {
namespace {

// Of an H200, in microseconds: from one launch to the next; of a thread, from one iteration to the next, some
// of which load at the same time.
constexpr double kLaunchTime = 2.5, kIterationTime = 0.2;

// A launch of kernels, by number: side by side, or by one block one after another.
struct LaunchOfKernels {
  std::vector<int> kernels;
  int64_t block_threads = 0;  // of the one block; 0: kernels have blocks of their own
};

// Nothing where the host has loops or branches.
std::optional<std::vector<LaunchOfKernels>> LaunchesOf(const DeviceProgram& program) {
  std::vector<LaunchOfKernels> launches;
  for (const Node& node : program.host) {
    if (const auto* const launch = node.As<Launch>()) {
      launches.push_back({{launch->kernel}});
      continue;
    }
    const auto* const merged = node.As<MergedLaunch>();
    if (merged == nullptr) return std::nullopt;
    LaunchOfKernels& several = launches.emplace_back();
    if (!merged->joined) several.block_threads = merged->threads;
    for (const Node& part : merged->body) {
      if (part.As<Loop>() != nullptr || part.As<Condition>() != nullptr) return std::nullopt;
      if (const auto* const turns = part.As<BlockTurns>()) several.kernels.push_back(turns->launch.kernel);
    }
  }
  return launches;
}

// Of the largest launch; nothing where that is not known.
std::optional<double> BlocksOf(const SymbolicProgram& program, int kernel, const SizeValues& sizes) {
  double blocks = 1;
  for (const IndexExpression& along : program.most_blocks[static_cast<size_t>(kernel)]) {
    std::set<std::string> names;
    CollectNames(along, &names);
    for (const std::string& name : names)
      if (sizes.count(name) == 0) return std::nullopt;
    blocks *= static_cast<double>(Evaluate(along, [&](const std::string& name) { return sizes.at(name); }));
  }
  return blocks;
}

// A class's program for any rows, of which the host has no loops.
class LaunchedClass {
 public:
  LaunchedClass(const SymbolicProgram& program, std::vector<LaunchOfKernels> launches)
      : program_(program), launches_(std::move(launches)) {}

  int size_class() const { return program_.size_class; }
  size_t launch_count() const { return launches_.size(); }

  std::optional<double> TimeAt(const SizeCell& cell, const DeviceFacts& device) const {
    double time = 0;
    for (const LaunchOfKernels& launch : launches_) {
      double longest = 0, all = 0;
      for (const int kernel : launch.kernels) {
        const DeviceKernel& launched = program_.device.kernels[static_cast<size_t>(kernel)];
        const auto iterations = cell.iterations.find(launched.name);
        const std::optional<double> blocks = BlocksOf(program_, kernel, cell.sizes);
        if (!blocks) return std::nullopt;
        const double threads = launch.block_threads > 0
                                   ? static_cast<double>(launch.block_threads)
                                   : *blocks * static_cast<double>(launched.ThreadCount());
        const double turns = std::ceil((iterations == cell.iterations.end() ? 1 : iterations->second) /
                                       std::min(threads, device.Threads()));
        longest = std::max(longest, turns);
        all += turns;
      }
      time += kLaunchTime + (launch.block_threads > 0 ? all : longest) * kIterationTime;
    }
    return time;
  }

 private:
  const SymbolicProgram& program_;
  const std::vector<LaunchOfKernels> launches_;
};

}  // namespace

void PreferFewerLaunches(const DeviceFacts& device, const std::vector<SizeCell>& cells,
                         SymbolicPrograms* programs) {
  std::vector<LaunchedClass> classes;
  for (size_t i = 0; i < programs->programs.size(); ++i) {
    const SymbolicProgram& program = programs->programs[i];
    const bool last =
        i + 1 == programs->programs.size() || programs->programs[i + 1].size_class != program.size_class;
    auto launches = LaunchesOf(program.device);
    if (last && launches) classes.emplace_back(program, *std::move(launches));
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    int& chosen = programs->classes[i];
    const auto own = std::find_if(classes.begin(), classes.end(),
                                  [&](const LaunchedClass& one) { return one.size_class() == chosen; });
    if (own == classes.end() || cells[i].size_class < 0) continue;
    std::optional<double> least = own->TimeAt(cells[i], device);
    for (const LaunchedClass& other : classes) {
      if (!least || other.launch_count() >= own->launch_count()) continue;
      const std::optional<double> time = other.TimeAt(cells[i], device);
      if (!time || *time > *least) continue;
      least = time;
      chosen = other.size_class();
    }
  }
}

}  // namespace tune
