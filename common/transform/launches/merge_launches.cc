#include "common/transform/launches/merge_launches.h"

#include <map>

namespace tune {
namespace {

// Arrays that launches have used since the last barrier, and whether they have written them.
using Touched = std::map<int, bool>;

class Merging {
 public:
  explicit Merging(const DeviceProgram& program)
      : program_(program), barrier_{program.merged->blocks > 1 ? Barrier::Of::kGrid : Barrier::Of::kBlock} {}

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
      for (Block* inner : copy.blocks()) *inner = MergeInside(*inner);
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
    merged->push_back({BlockTurns{launch, program_.merged->threads / kernel.ThreadCount()}});
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

}  // namespace

void MergeLaunches(const MergedLaunch& merged, DeviceProgram* program) {
  program->merged = merged;
  program->host = Merging(*program).Merge(program->host);
  program->host_index_type = IndexType(*program);
}

}  // namespace tune
