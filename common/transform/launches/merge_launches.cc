#include "common/transform/launches/merge_launches.h"

#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "common/program/loop_condition.h"
#include "common/program/node_runs.h"
#include "common/program/tile_nest.h"
#include "common/transform/launches/tile_nests.h"

namespace tune {
namespace {

// Arrays that launches have used since the last barrier, and whether they have written them.
using Touched = std::map<int, bool>;

class Merging {
 public:
  Merging(const DeviceProgram& program, const MergedLaunch& merged)
      : program_(program),
        threads_(merged.threads),
        barrier_{merged.HasGridBarriers() ? Barrier::Of::kGrid : Barrier::Of::kBlock} {}

  Block Merge(const Block& block) {
    Block merged;
    for (const Node& node : block) {
      if (const auto* launch = node.As<Launch>()) {
        AppendTurns(*launch, &merged);
        continue;
      }
      // The state is the same at the begin of each iteration.
      if (node.As<Loop>() != nullptr && !touched_.empty()) AppendBarrier(&merged);
      Node copy = node;
      const auto* const loop = node.As<Loop>();
      const bool one = loop != nullptr && loop->parallel;  // iteration, of a block
      for (Block* inner : copy.blocks()) *inner = one ? Merge(*inner) : MergeInside(*inner);
      merged.push_back(std::move(copy));
    }
    return merged;
  }

 private:
  Block MergeInside(const Block& block) {
    const Touched before = touched_;
    Block merged = Merge(block);
    if (touched_ != before) AppendBarrier(&merged);
    touched_ = before;  // the branch may not have been taken
    return merged;
  }

  void AppendTurns(const Launch& launch, Block* merged) {
    const DeviceKernel& kernel = program_.kernels[launch.kernel];
    if (Conflicts(kernel)) AppendBarrier(merged);
    for (const KernelArray& used : kernel.arrays) {
      if (!program_.arrays[used.array].by_value) touched_[used.array] |= used.writes;
    }
    merged->push_back({BlockTurns{launch, threads_ / kernel.ThreadCount()}});
  }

  void AppendBarrier(Block* merged) {
    merged->push_back({barrier_});
    touched_.clear();
  }

  bool Conflicts(const DeviceKernel& kernel) const {
    for (const KernelArray& used : kernel.arrays) {
      const auto found = touched_.find(used.array);
      if (found != touched_.end() && (used.writes || found->second)) return true;
    }
    return false;
  }

  const DeviceProgram& program_;
  const int64_t threads_;
  const Barrier barrier_;
  Touched touched_;
};

// The widest that some kernel has.
std::string IndexType(const DeviceProgram& program) {
  for (const DeviceKernel& kernel : program.kernels) {
    if (kernel.index_type != "int") return kernel.index_type;
  }
  return "int";
}

// Finds what is to be merged.
class Search {
 public:
  Search(const MergedLaunch& merged, const std::function<bool(int)>& merges, const DeviceProgram& program)
      : merged_(merged), merges_(merges), program_(program) {}

  Block Replace(const Block& block) {
    NodeRuns runs;
    runs.is_member = [&](const Node& node) { return IsMerged(node); };
    runs.follows = [](const Node&, const Block&) { return true; };
    runs.replacement = [&](const Block& run, const std::vector<std::string>& iterators) {
      return Node{Merged(run, iterators)};
    };
    return ReplaceRuns(block, runs);
  }

 private:
  bool IsMerged(const Node& node) const {
    bool all = true;
    ForEachNode({node}, [&](const Node& inner) {
      if (const auto* launch = inner.As<Launch>()) all = all && merges_(launch->kernel);
    });
    return all;
  }

  MergedLaunch Merged(const Block& together, const std::vector<std::string>& iterators) {
    MergedLaunch launch = merged_;
    if (++count_ > 1) absl::StrAppend(&launch.function, count_);
    launch.iterators = iterators;
    launch.body = Merging(program_, merged_).Merge(together);
    return launch;
  }

  const MergedLaunch& merged_;
  const std::function<bool(int)>& merges_;
  const DeviceProgram& program_;
  int count_ = 0;
};

class TileMerging {
 public:
  TileMerging(const MergedLaunch& merged, const DeviceProgram& program)
      : merged_(merged), program_(program) {}

  absl::Status Merge(Block* block) {
    for (Node& node : *block) {
      auto* const loop = node.As<Loop>();
      if (loop != nullptr && loop->parallel) {
        TUNE_RETURN_IF_ERROR(Replace(&node));
        continue;
      }
      if (loop != nullptr) iterators_.push_back(loop->iterator);
      for (Block* inner : node.blocks()) TUNE_RETURN_IF_ERROR(Merge(inner));
      if (loop != nullptr) iterators_.pop_back();
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Replace(Node* node) {
    MergedLaunch launch = merged_;
    if (++count_ > 1) absl::StrAppend(&launch.function, count_);
    launch.tiles = true;
    launch.blocks = 1;
    launch.iterators = iterators_;
    TUNE_RETURN_IF_ERROR(NestTiles(node->As<Loop>()));
    const Block body = {*node};
    for (const Loop* loop : TileNest(body)) {
      const std::optional<int64_t> iterations = FixedIterations(*loop);
      if (!iterations) return absl::InvalidArgumentError("the number of a launch's tiles is not known");
      launch.blocks *= *iterations;
    }
    launch.body = Merging(program_, launch).Merge(body);
    *node = {std::move(launch)};
    return absl::OkStatus();
  }

  const MergedLaunch& merged_;
  const DeviceProgram& program_;
  std::vector<std::string> iterators_;  // of the loops around
  int count_ = 0;
};

}  // namespace

absl::Status MergeTiles(const MergedLaunch& merged, DeviceProgram* program) {
  TUNE_RETURN_IF_ERROR(TileMerging(merged, *program).Merge(&program->host));
  program->host_index_type = IndexType(*program);
  return absl::OkStatus();
}

void MergeLaunches(const MergedLaunch& merged, const std::function<bool(int kernel)>& merges,
                   DeviceProgram* program) {
  program->host = Search(merged, merges, *program).Replace(program->host);
  program->host_index_type = IndexType(*program);
}

}  // namespace tune
