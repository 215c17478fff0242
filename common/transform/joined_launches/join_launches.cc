#include "common/transform/joined_launches/join_launches.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/program/node_runs.h"

namespace tune {
namespace {

class Joining {
 public:
  Joining(const std::string& function, const std::map<std::string, int>& groups, const DeviceProgram& program)
      : function_(function), groups_(groups), program_(program) {}

  Block Replace(const Block& block) {
    NodeRuns runs;
    runs.is_member = [&](const Node& node) {
      const auto* const launch = node.As<Launch>();
      return launch != nullptr && groups_.count(KernelOf(*launch).name) > 0;
    };
    runs.follows = [&](const Node& node, const Block& run) {
      return Follows(*node.As<Launch>(), LaunchesOf(run));
    };
    runs.replacement = [&](const Block& run, const std::vector<std::string>& iterators) {
      return Node{Joined(LaunchesOf(run), iterators)};
    };
    return ReplaceRuns(block, runs);
  }

 private:
  const DeviceKernel& KernelOf(const Launch& launch) const { return program_.kernels[launch.kernel]; }

  // What is known of a group is true at one iteration of the host's loops.
  bool Follows(const Launch& launch, const std::vector<Launch>& others) const {
    return std::all_of(others.begin(), others.end(), [&](const Launch& other) {
      return other.kernel != launch.kernel && other.host == launch.host &&
             groups_.at(KernelOf(other).name) == groups_.at(KernelOf(launch).name);
    });
  }

  static std::vector<Launch> LaunchesOf(const Block& run) {
    std::vector<Launch> launches;
    for (const Node& node : run) launches.push_back(*node.As<Launch>());
    return launches;
  }

  MergedLaunch Joined(const std::vector<Launch>& launches, const std::vector<std::string>& iterators) {
    MergedLaunch joined;
    joined.joined = true;
    joined.function = function_;
    if (++count_ > 1) absl::StrAppend(&joined.function, count_);
    joined.iterators = iterators;
    for (const Launch& launch : launches)
      joined.threads = std::max(joined.threads, KernelOf(launch).ThreadCount());
    joined.blocks = 0;
    for (const Launch& launch : launches) {
      BlockTurns turns{launch, joined.threads / KernelOf(launch).ThreadCount()};
      if (KernelOf(launch).sizes.empty())
        turns.own = (MostBlocks(launch) + turns.at_once - 1) / turns.at_once;
      joined.blocks += turns.own;
      joined.body.push_back({std::move(turns)});
    }
    joined.per_processor = BlocksOfProcessor(launches, joined.threads);
    return joined;
  }

  // In any iteration of the loops around.
  int64_t MostBlocks(const Launch& launch) const {
    int64_t blocks = 1;
    for (size_t axis = 0; axis < launch.count.size(); ++axis) {
      const IndexExpression& count = launch.count[axis];
      blocks *= count.IsConstant() ? count.value : KernelOf(launch).axes[axis].most_blocks;
    }
    return std::max<int64_t>(1, blocks);
  }

  // That each kernel asks for; 1: some leaves it to the compiler, or has other blocks.
  int64_t BlocksOfProcessor(const std::vector<Launch>& launches, int64_t threads) const {
    int64_t blocks = KernelOf(launches[0]).min_blocks;
    for (const Launch& launch : launches) {
      const DeviceKernel& kernel = KernelOf(launch);
      blocks = kernel.ThreadCount() == threads ? std::min(blocks, kernel.min_blocks) : 0;
    }
    return std::max<int64_t>(1, blocks);
  }

  const std::string& function_;
  const std::map<std::string, int>& groups_;
  const DeviceProgram& program_;
  int count_ = 0;
};

// Of the launch's kernels: arrays that some of them write.
std::set<int> WrittenBy(const MergedLaunch& joined, const DeviceProgram& program) {
  std::set<int> written;
  for (const Node& node : joined.body) {
    for (const KernelArray& used : program.kernels[node.As<BlockTurns>()->launch.kernel].arrays) {
      if (used.writes) written.insert(used.array);
    }
  }
  return written;
}

void ShareArrays(DeviceProgram* program) {
  ForEachNode(program->host, [&](const Node& node) {
    const auto* const joined = node.As<MergedLaunch>();
    if (joined == nullptr || !joined->joined) return;
    const std::set<int> written = WrittenBy(*joined, *program);
    for (const Node& turns : joined->body) {
      for (KernelArray& used : program->kernels[turns.As<BlockTurns>()->launch.kernel].arrays)
        used.shared = used.shared || (!used.writes && written.count(used.array) > 0);
    }
  });
}

}  // namespace

void JoinLaunches(const std::string& function, const std::map<std::string, int>& groups,
                  DeviceProgram* program) {
  program->host = Joining(function, groups, *program).Replace(program->host);
  ShareArrays(program);
}

}  // namespace tune
