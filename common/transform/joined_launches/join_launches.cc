#include "common/transform/joined_launches/join_launches.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

class Joining {
 public:
  Joining(const std::string& function, const std::function<bool(int)>& joins, const DeviceProgram& program)
      : function_(function), joins_(joins), program_(program) {}

  Block Replace(const Block& block) {
    Block replaced;
    std::vector<Launch> together;
    const auto close = [&] {
      if (!together.empty()) replaced.push_back({Joined(together)});
      together.clear();
    };
    for (const Node& node : block) {
      const auto* const launch = node.As<Launch>();
      if (launch != nullptr && joins_(launch->kernel)) {
        if (Conflicts(*launch, together)) close();
        together.push_back(*launch);
        continue;
      }
      close();
      Node copy = node;
      const auto* const loop = node.As<Loop>();
      if (loop != nullptr) iterators_.push_back(loop->iterator);
      for (Block* inner : copy.blocks()) *inner = Replace(*inner);
      if (loop != nullptr) iterators_.pop_back();
      replaced.push_back(std::move(copy));
    }
    close();
    return replaced;
  }

 private:
  const DeviceKernel& KernelOf(const Launch& launch) const { return program_.kernels[launch.kernel]; }

  bool Conflicts(const Launch& launch, const std::vector<Launch>& others) const {
    return std::any_of(others.begin(), others.end(), [&](const Launch& other) {
      for (const KernelArray& a : KernelOf(launch).arrays) {
        for (const KernelArray& b : KernelOf(other).arrays) {
          if (a.array == b.array && (a.writes || b.writes)) return true;
        }
      }
      return false;
    });
  }

  MergedLaunch Joined(const std::vector<Launch>& launches) {
    MergedLaunch joined;
    joined.joined = true;
    joined.function = function_;
    if (++count_ > 1) absl::StrAppend(&joined.function, count_);
    joined.iterators = iterators_;
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
  const std::function<bool(int)>& joins_;
  const DeviceProgram& program_;
  std::vector<std::string> iterators_;  // of the loops around
  int count_ = 0;
};

}  // namespace

void JoinLaunches(const std::string& function, const std::function<bool(int kernel)>& joins,
                  DeviceProgram* program) {
  program->host = Joining(function, joins, *program).Replace(program->host);
}

}  // namespace tune
