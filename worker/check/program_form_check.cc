#include "worker/check/program_form_check.h"

#include <algorithm>

#include "worker/check/raised_kernel.h"

namespace tune {
namespace {

template <typename... Parts>
absl::Status Misfit(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat(parts...));
}

// Calls `check` for the nodes of the block until one is wrong.
template <typename Check>
absl::Status ForNodes(const Block& block, const Check& check) {
  absl::Status status;
  ForEachNode(block, [&](const Node& node) {
    if (status.ok()) status = check(node);
  });
  return status;
}

absl::Status CheckLoop(const Loop& loop) {
  if (loop.step.IsConstant() && loop.step.value > 0) return absl::OkStatus();
  return Misfit("the loop of ", loop.iterator, " has no step that is a positive number");
}

class KernelForm {
 public:
  KernelForm(const DeviceKernel& kernel, const MappedKernel& mapped, const ParsedScop& scop)
      : kernel_(kernel), mapped_(mapped), scop_(scop) {}

  absl::Status Check() const {
    if (kernel_.threads != mapped_.threads || kernel_.axes.size() != mapped_.first_block.size())
      return Wrong("it has other threads or axes than it should");
    return ForNodes(kernel_.body, [&](const Node& node) { return Check(node); });
  }

 private:
  template <typename... Parts>
  absl::Status Wrong(const Parts&... parts) const {
    return Misfit("kernel ", kernel_.name, ": ", parts...);
  }

  absl::Status Check(const Node& node) const {
    if (const auto* loop = node.As<Loop>()) return CheckLoop(*loop);
    if (const auto* instance = node.As<Instance>()) return CheckInstance(*instance);
    if (const auto* transfer = node.As<Transfer>()) return CheckCopy(transfer->origin, 2);
    if (const auto* fill = node.As<Fill>()) return CheckFill(*fill);
    if (const auto* reduction = node.As<BlockReduction>()) return CheckReduction(*reduction);
    if (const auto* await = node.As<AwaitFills>(); await != nullptr && await->open < 0)
      return Wrong("a wait leaves fewer groups of copies open than none");
    if (node.As<Launch>() != nullptr || node.As<BlockTurns>() != nullptr ||
        node.As<MergedLaunch>() != nullptr || node.As<Product>() != nullptr)
      return Wrong("it has a node that only hosts have");
    if (const auto* barrier = node.As<Barrier>(); barrier != nullptr && barrier->of == Barrier::Of::kGrid)
      return Wrong("it has a barrier of the launch's blocks");
    return absl::OkStatus();
  }

  absl::Status CheckInstance(const Instance& instance) const {
    const auto named = [&](const ParsedStatement& statement) { return statement.name == instance.statement; };
    const auto found = std::find_if(scop_.statements.begin(), scop_.statements.end(), named);
    if (found == scop_.statements.end() || found->kind == v1::Statement::KILL)
      return Wrong("there is no statement ", instance.statement);
    if (instance.origin.statement != instance.statement ||
        instance.origin.iterators.size() != found->domain.tuple_dim()) {
      return Wrong("an instance of ", instance.statement, " does not say which one it is");
    }
    return absl::OkStatus();
  }

  // Of a copy that has so many places.
  absl::Status CheckCopy(const Origin& origin, size_t places) const {
    const CopyStatement* const copy = mapped_.memory.FindCopy(origin.statement);
    if (copy == nullptr || copy->places.size() != places)
      return Wrong("a copy does not say which one it is: \"", origin.statement, "\"");
    return absl::OkStatus();
  }

  absl::Status CheckFill(const Fill& fill) const {
    TUNE_RETURN_IF_ERROR(CheckCopy(fill.origin, fill.tiles.size()));
    for (const TileFill& part : fill.tiles) {
      const Tile* const tile = kernel_.FindTile(part.to.array);
      if (tile == nullptr || part.first.size() != tile->extents.size())
        return Wrong("it fills ", part.to.array, ", which is no tile of so many dimensions");
    }
    if (fill.threads < 1) return Wrong("no thread fills tiles");
    return absl::OkStatus();
  }

  absl::Status CheckReduction(const BlockReduction& reduction) const {
    const Tile* const tile = kernel_.FindTile(reduction.tile);
    if (tile == nullptr || tile->combined_by == v1::NONE || reduction.axis != mapped_.reduction_axis)
      return Wrong("it combines values of ", reduction.tile, ", which are no partial values along that axis");
    return CheckCopy(reduction.origin, 0);
  }

  const DeviceKernel& kernel_;
  const MappedKernel& mapped_;
  const ParsedScop& scop_;
};

// Nodes of the host, or of a merged launch.
absl::Status CheckHostNode(const DeviceProgram& program, const Node& node, bool merged) {
  if (const auto* loop = node.As<Loop>(); loop != nullptr && loop->ahead != 0)
    return Misfit("the host's loop of ", loop->iterator, " loads ahead");
  if (const auto* loop = node.As<Loop>()) return CheckLoop(*loop);
  const auto* const turns = node.As<BlockTurns>();
  const Launch* const launch = turns != nullptr ? &turns->launch : node.As<Launch>();
  if (launch != nullptr && (turns != nullptr) == merged) {
    const int kernels = static_cast<int>(program.kernels.size());
    if (launch->kernel < 0 || launch->kernel >= kernels) return Misfit("there is no kernel ", launch->kernel);
    if (program.kernels[launch->kernel].is_function == merged) return absl::OkStatus();
    return Misfit("kernel ", program.kernels[launch->kernel].name,
                  " is launched in another way than it is for");
  }
  if (node.As<Condition>() != nullptr) return absl::OkStatus();
  if (merged ? node.As<Barrier>() != nullptr : node.As<MergedLaunch>() != nullptr) return absl::OkStatus();
  return Misfit("the host has a node that only kernels have, or that stands in merged launches alone");
}

// `around`: the iterators of the loops around.
absl::Status CheckHostBlock(const DeviceProgram& program, const Block& block, bool merged,
                            std::vector<std::string> around) {
  for (const Node& node : block) {
    TUNE_RETURN_IF_ERROR(CheckHostNode(program, node, merged));
    std::vector<std::string> inside = around;
    if (const auto* loop = node.As<Loop>()) inside.push_back(loop->iterator);
    const auto* const launch = node.As<MergedLaunch>();
    if (launch != nullptr && launch->iterators != around)
      return Misfit("a merged launch is passed other iterators than are around it");
    for (const Block* inner : node.blocks())
      TUNE_RETURN_IF_ERROR(CheckHostBlock(program, *inner, merged || launch != nullptr, inside));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckProgramForm(const DeviceProgram& program, const MappedProgram& mapped,
                              const ParsedScop& scop) {
  if (program.kernels.size() != mapped.kernels.size())
    return Misfit("there are other kernels than there should be");
  TUNE_RETURN_IF_ERROR(CheckHostBlock(program, program.host, /*merged=*/false, {}));
  for (size_t i = 0; i < program.kernels.size(); ++i)
    TUNE_RETURN_IF_ERROR(KernelForm(program.kernels[i], mapped.kernels[i], scop).Check());
  return absl::OkStatus();
}

}  // namespace tune
