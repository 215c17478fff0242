#include "worker/check/program_host_check.h"

#include <map>
#include <optional>

#include "worker/check/instance_order.h"
#include "worker/check/placement.h"
#include "worker/check/program_barrier_check.h"
#include "worker/check/program_tiles_check.h"

namespace tune {
namespace {

template <typename... Parts>
absl::Status Fault(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat("the launches: ", parts...));
}

const Launch* LaunchOf(const Node& node) {
  if (const auto* turns = node.As<BlockTurns>()) return &turns->launch;
  return node.As<Launch>();
}

// { K[h] -> [time] } of the program's and of the tree's launches.
class HostCheck {
 public:
  HostCheck(const DeviceProgram& program, const MappedProgram& mapped, const isl::set& values)
      : program_(program), mapped_(mapped), values_(values), nodes_(RaiseBlock(program.host, values)) {}

  absl::Status Check() {
    isl::union_set seen = isl::union_set::empty(values_.ctx());
    for (const RaisedNode& node : nodes_) {
      const Launch* const launch = LaunchOf(*node.node);
      if (launch == nullptr) continue;
      const isl::map runs = Runs(node, *launch);
      const isl::union_set instances(runs.range());
      if (!runs.is_injective() || !instances.intersect(seen).is_empty())
        return Fault(program_.kernels[launch->kernel].name, " is launched twice for the same values");
      seen = seen.unite(instances);
      TUNE_RETURN_IF_ERROR(CheckBlocks(node, *launch, runs));
    }
    const isl::union_set wanted = mapped_.host.domain().intersect_params(values_);
    const isl::union_set missing = wanted.subtract(seen), more = seen.subtract(wanted);
    if (!missing.is_empty()) return Fault(Example(missing), " is missing");
    if (!more.is_empty()) return Fault(Example(more), " is none of the host tree");
    return CheckOrder();
  }

 private:
  // { [i] -> K[h] }
  isl::map Runs(const RaisedNode& node, const Launch& launch) const {
    return node.Function(launch.host, absl::StrCat("K", launch.kernel));
  }

  // The launch has the blocks that may have work.
  absl::Status CheckBlocks(const RaisedNode& node, const Launch& launch, const isl::map& runs) const {
    const MappedKernel& kernel = mapped_.kernels.at(launch.kernel);
    const std::string& name = program_.kernels[launch.kernel].name;
    if (launch.first.size() != kernel.first_block.size() || launch.count.size() != kernel.first_block.size())
      return Fault(name, " is launched with other axes than it has");
    for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
      const auto meant = [&](const isl::pw_aff& function) {  // [i] -> [b]
        return runs.apply_range(function.as_map()).intersect_params(values_);
      };
      const isl::map first = node.Function({launch.first[axis]}, "");
      const isl::map last =
          node.Function({launch.first[axis] + launch.count[axis] - IndexExpression::Constant(1)}, "");
      if (!meant(kernel.first_block[axis]).is_subset(first) ||
          !meant(kernel.last_block[axis]).is_subset(last))
        return Fault(name, " is launched with other blocks than have work");
    }
    return absl::OkStatus();
  }

  absl::Status CheckOrder() const {
    const std::vector<TreeLeaf> leaves = FindLeaves(mapped_.host);
    const size_t tree_length = LongestPath(leaves), length = LongestPath(nodes_);
    isl::union_map tree = isl::union_map::empty(values_.ctx()), program = tree;
    for (const TreeLeaf& leaf : leaves) tree = tree.unite(TimesOf(leaf.schedule, leaf.path, tree_length));
    for (const RaisedNode& node : nodes_) {
      if (const Launch* const launch = LaunchOf(*node.node))
        program = program.unite(TimesOf(isl::union_map(Runs(node, *launch).reverse()), node.path, length));
    }
    isl::union_map wrong = Reordered(tree.intersect_params(values_), program);
    // Children of a set have no order, although they have numbers.
    while (const std::optional<isl::union_map> open = OrderOf(mapped_.host, wrong).backward)
      wrong = wrong.subtract(*open);
    if (wrong.is_empty()) return absl::OkStatus();
    return Fault("they are not in the order of the host tree: ", Example(wrong.wrap()));
  }

  const DeviceProgram& program_;
  const MappedProgram& mapped_;
  const isl::set values_;
  const std::vector<RaisedNode> nodes_;
};

// Arrays used since the last barrier on some path that leads here, and whether they were written.
using Touched = std::map<int, bool>;

class MergedFlow {
 public:
  MergedFlow(const DeviceProgram& program, const MergedLaunch& merged) : program_(program), merged_(merged) {}

  absl::Status Check() {
    TUNE_RETURN_IF_ERROR(Check(merged_.body));
    if (merged_.joined && (merged_.tiles || own_ != merged_.blocks))
      return Fault("a launch of independent kernels has other blocks than these");
    return absl::OkStatus();
  }

 private:
  absl::Status Check(const Block& block) {
    for (const Node& node : block) TUNE_RETURN_IF_ERROR(Check(node));
    return absl::OkStatus();
  }

  absl::Status Check(const Node& node) {
    if (const auto* turns = node.As<BlockTurns>()) return CheckTurns(*turns);
    if (merged_.joined) return Fault("a launch of independent kernels has a node of another kind");
    if (const auto* barrier = node.As<Barrier>()) return PassBarrier(*barrier);
    if (node.As<Loop>() != nullptr) return CheckLoop(*node.As<Loop>());
    if (const auto* branch = node.As<Condition>()) {
      const Touched before = touched_;
      TUNE_RETURN_IF_ERROR(Check(branch->then));
      const Touched after_then = std::exchange(touched_, before);
      TUNE_RETURN_IF_ERROR(Check(branch->otherwise));
      Join(after_then);
      return absl::OkStatus();
    }
    return Fault("a merged launch has a node of another kind");
  }

  absl::Status CheckLoop(const Loop& loop) {
    if (loop.parallel) return Check(loop.body);  // each block runs one iteration
    for (;;) {
      const Touched before = touched_;
      TUNE_RETURN_IF_ERROR(Check(loop.body));
      Join(before);
      if (touched_ == before) return absl::OkStatus();
    }
  }

  void Join(const Touched& other) {
    for (const auto& [array, written] : other) touched_[array] |= written;
  }

  absl::Status PassBarrier(const Barrier& barrier) {
    if ((barrier.of == Barrier::Of::kGrid) != merged_.HasGridBarriers())
      return Fault("a barrier does not reach as far as the launch");
    touched_.clear();
    return absl::OkStatus();
  }

  absl::Status CheckTurns(const BlockTurns& turns) {
    const DeviceKernel& kernel = program_.kernels[turns.launch.kernel];
    if (merged_.joined ? turns.own < 1 : turns.own != 0)
      return Fault(kernel.name, " has other blocks of the launch than it should");
    if (turns.at_once < 1 || turns.at_once * kernel.ThreadCount() > merged_.threads)
      return Fault(kernel.name, " has blocks with more threads than there are");
    if (HasBarrier(kernel) && kernel.ThreadCount() != merged_.threads)
      return Fault(kernel.name, " has barriers that some threads of the launch's blocks miss");
    own_ += turns.own;
    if (merged_.joined) return absl::OkStatus();  // joined_launch_check.h
    for (const KernelArray& used : kernel.arrays) {
      const auto found = touched_.find(used.array);
      if (found != touched_.end() && (used.writes || found->second)) {
        return Fault("no barrier stands between ", kernel.name, " and what used array ",
                     program_.arrays[used.array].scop_name, " before it");
      }
    }
    for (const KernelArray& used : kernel.arrays) {
      if (!program_.arrays[used.array].by_value) touched_[used.array] |= used.writes;
    }
    return absl::OkStatus();
  }

  const DeviceProgram& program_;
  const MergedLaunch& merged_;
  int64_t own_ = 0;
  Touched touched_;
};

}  // namespace

absl::Status CheckProgramHost(const DeviceProgram& program, const MappedProgram& mapped,
                              const isl::set& values, const HelperNames& names) {
  if (program.kernels.empty()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(CheckProgramTiles(program, mapped, names));
  TUNE_RETURN_IF_ERROR(HostCheck(program, mapped, values).Check());
  absl::Status status;
  ForEachNode(program.host, [&](const Node& node) {
    if (const auto* merged = node.As<MergedLaunch>()) status.Update(MergedFlow(program, *merged).Check());
  });
  return status;
}

}  // namespace tune
