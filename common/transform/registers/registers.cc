#include "common/transform/registers/registers.h"

#include "common/decision/simple_choices.h"
#include "common/mapping/local_copies.h"
#include "common/mapping/mark_node.h"
#include "common/transform/register_rows/register_rows.h"
#include "common/transform/registers/guarded_copies.h"
#include "common/transform/registers/promote_registers.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/thread_tree.h"

namespace tune {
namespace {

class RegistersTransformation : public CudaTransformation {
  const char* name() const override { return "registers"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const bool alone = site.threads().axes.empty() && !plan->Get<SharedTiles>().on;
    if (!site.CanKeepTiles() || site.LongestSerialMember() == 0 || alone) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const bool on, ChooseSwitch(chooser, site.Key("registers"), true));
    plan->Set(RegisterTiles{on});
    return absl::OkStatus();
  }

  void AddTiles(const TileSite& site, LocalMemory* memory) const override {
    if (!site.block.plan->Get<RegisterTiles>().on || !site.block.HasSerialLoop()) return;
    PromoteToRegisters(site.instances, site.block.kernel->constant_reads, site.own_instances, memory);
  }

  isl::schedule_node InsertCopies(const BlockOfKernel& block, const isl::schedule_node& node,
                                  const isl::union_set& domain, LocalMemory* memory) const override {
    const isl::set everywhere = isl::set::universe(block.context.space());
    const isl::union_set instances = block.OfThread(domain);
    isl::schedule_node with = node;
    for (size_t t = 0; t < memory->tiles.size(); ++t) {
      if (memory->tiles[t].shared) continue;
      for (const auto kind : {CopyStatement::Kind::kLoad, CopyStatement::Kind::kStore})
        with = UpTo(with, tune::InsertCopies(FindMark(with, kOutsideTilesMark), block, instances, everywhere,
                                             static_cast<int>(t), kind, memory));
    }
    return with;
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.plan.Get<RegisterTiles>().on) CopyInsideCondition(kernel);
  }

  // Reductions have tiles of their own in registers.
  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (pass.plan.threads.HasReduction()) return absl::OkStatus();
    for (const Tile& tile : kernel.tiles) {
      if (!tile.shared && !pass.plan.Get<RegisterTiles>().on && !pass.plan.Get<RegisterRows>().on)
        return absl::FailedPreconditionError(absl::StrCat("tile ", tile.name, " is in registers"));
    }
    return absl::OkStatus();
  }
};

}  // namespace

const CudaTransformation& Registers() {
  static const RegistersTransformation transformation;
  return transformation;
}

}  // namespace tune
