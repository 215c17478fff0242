#include "worker/codegen/fewer_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tune {
namespace {

// Of an H200, in microseconds: from one launch to the next; of a thread, from one iteration to the next, some
// of which load at the same time.
constexpr double kLaunchTime = 2.5, kIterationTime = 0.2;
constexpr int64_t kLargest = 4096, kSmallest = 4;  // sizes that are looked at

using Sizes = std::map<std::string, int64_t>;

// Kernels of each launch, by number; nothing where the host has loops or branches.
std::optional<std::vector<std::vector<int>>> LaunchesOf(const DeviceProgram& program) {
  std::vector<std::vector<int>> launches;
  for (const Node& node : program.host) {
    if (const auto* const launch = node.As<Launch>()) {
      launches.push_back({launch->kernel});
      continue;
    }
    const auto* const merged = node.As<MergedLaunch>();
    if (merged == nullptr || !merged->joined) return std::nullopt;
    std::vector<int>& kernels = launches.emplace_back();
    for (const Node& part : merged->body)
      if (const auto* const turns = part.As<BlockTurns>()) kernels.push_back(turns->launch.kernel);
  }
  return launches;
}

double BlocksOf(const SymbolicProgram& program, int kernel, const Sizes& sizes) {
  double blocks = 1;
  for (const IndexExpression& along : program.most_blocks[kernel])
    blocks *= static_cast<double>(Evaluate(along, [&](const std::string& name) { return sizes.at(name); }));
  return blocks;
}

bool NamesOnly(const SymbolicProgram& program, const Sizes& sizes) {
  std::set<std::string> names;
  for (const auto& blocks : program.most_blocks)
    for (const IndexExpression& along : blocks) CollectNames(along, &names);
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return sizes.count(name) > 0; });
}

// What is known at one size.
struct SizeFacts {
  Sizes sizes;
  std::map<std::string, double> iterations;  // of kernels
};

class LaunchRule {
 public:
  LaunchRule(const SymbolicPlans& plans, const DeviceFacts& device, std::vector<SymbolicProgram>* programs)
      : plans_(plans), device_(device), programs_(*programs) {}

  absl::Status Apply() {
    for (const SymbolicProgram& program : programs_) {
      const auto launches = LaunchesOf(program.device);
      if (!launches) return absl::OkStatus();
      launches_.push_back(*launches);
    }
    TUNE_RETURN_IF_ERROR(LookAtSizes());
    // Those for smaller sizes first: what they reach is then left to them.
    for (size_t i = programs_.size(); i-- > 0;) Lower(i);
    const auto last = std::find_if(programs_.begin(), programs_.end(), RunsAlways);
    if (last == programs_.end()) return absl::OkStatus();
    const SymbolicProgram kept = *last;
    programs_.erase(std::remove_if(last + 1, programs_.end(),
                                   [&](const SymbolicProgram& other) { return IsForNoMore(other, kept); }),
                    programs_.end());
    return absl::OkStatus();
  }

 private:
  // At all sizes that a program is for.
  static bool RunsAlways(const SymbolicProgram& program) {
    const auto& least = program.least_blocks;
    const auto& arrays = program.device.arrays;
    return std::all_of(least.begin(), least.end(), [](int64_t blocks) { return blocks <= 1; }) &&
           std::all_of(arrays.begin(), arrays.end(), [](const DeviceArray& array) {
             return std::all_of(array.extents.begin(), array.extents.end(),
                                [](int64_t divisor) { return divisor <= 1; });
           });
  }

  // Whether `kept`, which runs always, is for all calls that `program` is for.
  static bool IsForNoMore(const SymbolicProgram& program, const SymbolicProgram& kept) {
    bool no_more =
        program.requirement == kept.requirement && program.alignments.size() == kept.alignments.size();
    for (size_t i = 0; no_more && i < kept.alignments.size(); ++i)
      no_more = kept.alignments[i] <= program.alignments[i];
    return no_more;
  }

  absl::Status LookAtSizes() {
    for (int64_t size = kLargest; size >= kSmallest; size = size * 7 / 8 / kSmallest * kSmallest) {
      const auto values = plans_.ValuesAbout(size);
      if (!values.ok()) continue;
      auto iterations = plans_.IterationsAbout(size);
      TUNE_RETURN_IF_ERROR(iterations.status());
      facts_.push_back({*values, *std::move(iterations)});
    }
    return absl::OkStatus();
  }

  // Lets program `i` run at smaller sizes as long as it is better than what runs there now.
  void Lower(size_t i) {
    const Sizes* least = nullptr;
    for (const SizeFacts& facts : facts_) {
      if (!NamesOnly(programs_[i], facts.sizes)) return;
      if (HasBlocks(i, facts.sizes)) continue;
      const size_t other = ChosenBehind(i, facts.sizes);
      if (other == programs_.size() || launches_[i].size() >= launches_[other].size() ||
          TimeOf(i, facts) > TimeOf(other, facts))
        break;
      least = &facts.sizes;
    }
    if (least == nullptr) return;
    const bool always = least == &facts_.back().sizes;
    for (size_t k = 0; k < programs_[i].least_blocks.size(); ++k)
      programs_[i].least_blocks[k] =
          always ? 0 : static_cast<int64_t>(BlocksOf(programs_[i], static_cast<int>(k), *least));
  }

  bool HasBlocks(size_t i, const Sizes& sizes) const {
    for (size_t k = 0; k < programs_[i].least_blocks.size(); ++k)
      if (BlocksOf(programs_[i], static_cast<int>(k), sizes) <
          static_cast<double>(programs_[i].least_blocks[k]))
        return false;
    return true;
  }

  size_t ChosenBehind(size_t i, const Sizes& sizes) const {
    size_t other = i + 1;
    while (other < programs_.size() && (!NamesOnly(programs_[other], sizes) || !HasBlocks(other, sizes)))
      ++other;
    return other;
  }

  double TimeOf(size_t i, const SizeFacts& facts) const {
    const SymbolicProgram& program = programs_[i];
    double time = 0;
    for (const std::vector<int>& kernels : launches_[i]) {
      double longest = 0;
      for (const int kernel : kernels) {
        const DeviceKernel& launched = program.device.kernels[kernel];
        const auto iterations = facts.iterations.find(launched.name);
        const double all = iterations == facts.iterations.end() ? 1 : iterations->second;
        const double threads =
            BlocksOf(program, kernel, facts.sizes) * static_cast<double>(launched.ThreadCount());
        const double at_once = std::min(threads, device_.Threads());
        longest = std::max(longest, std::ceil(all / at_once));
      }
      time += kLaunchTime + longest * kIterationTime;
    }
    return time;
  }

  const SymbolicPlans& plans_;
  const DeviceFacts& device_;
  std::vector<SymbolicProgram>& programs_;
  std::vector<std::vector<std::vector<int>>> launches_;  // parallel to the programs
  std::vector<SizeFacts> facts_;                         // the largest size first
};

}  // namespace

absl::Status PreferFewerLaunches(const SymbolicPlans& plans, const DeviceFacts& device,
                                 std::vector<SymbolicProgram>* programs) {
  return LaunchRule(plans, device, programs).Apply();
}

}  // namespace tune
