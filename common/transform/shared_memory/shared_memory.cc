#include "common/transform/shared_memory/shared_memory.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/mapping/cuda_limits.h"
#include "common/mapping/local_copies.h"
#include "common/mapping/mark_node.h"
#include "common/transform/buffers/buffers.h"
#include "common/transform/joined_launches/joined_launches.h"
#include "common/transform/register_rows/register_rows.h"
#include "common/transform/shared_memory/given_shared_memory.h"
#include "common/transform/shared_memory/promote_shared.h"
#include "common/transform/tensor_cores/tensor_cores.h"
#include "common/transform/thread_tree.h"

namespace tune {
namespace {

enum Shared { kOff, kOn, kOptIn };

class SharedMemoryTransformation : public CudaTransformation {
  const char* name() const override { return "shared_memory"; }

  static Offer Options(const KernelSite& site) {
    return {site.Key("shared"), {"off", "on", "opt_in"}, {true, true, site.device.HasOptIn()}};
  }

  // What rows of threads are worked out with, as a diagonal tile, all threads read at about the same time,
  // each element a few times, and would wait for memory wherever a row of it begins (H200, lu of 4000 x
  // 4000: 7.67 ms, from shared memory 7.02). Without a loop there is only what neighbours share, and the
  // caches serve that, unless they go across rows; with one axis the elements of a tile are used too seldom
  // to pay for its filling, unless others fill it. The rows of tiles from which warps compute products are so
  // much longer that several buffers need what is given on request.
  static Shared Default(const KernelSite& site) {
    const bool again = site.LongestSerialMember() > 0 && site.threads().axes.size() > 1;
    if (again && site.device.HasOptIn() && MatrixProductsOf(site) != TensorCoreProducts::Of::kNone)
      return kOptIn;
    const bool of_rows = site.plan.Get<RegisterRows>().on;
    return of_rows || again || site.WaitsForTerms() || Transposes(site) ? kOn : kOff;
  }

  // Whether there is no loop, and something is read along rows by threads of a tile beside each other, which
  // a warp then touches a column of.
  static bool Transposes(const KernelSite& site) {
    const ThreadMapping& threads = site.threads();
    const std::vector<bool>& along_rows = site.kernel.bands[0].along_rows;
    if (along_rows.empty() || threads.axes.size() < 2 || site.LongestSerialMember() > 0) return false;
    const CudaAxis &x = threads.Axis(0), &y = threads.Axis(1);
    return along_rows[static_cast<size_t>(y.member)] && y.tile >= kWarp && x.tile >= kWarp;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!site.CanKeepTiles() || site.kernel.constant_reads.empty()) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int shared, Ask(chooser, Options(site), Default(site)));
    plan->Set(SharedTiles{shared != kOff, shared == kOptIn});
    return absl::OkStatus();
  }

  void AddTiles(const TileSite& site, LocalMemory* memory) const override {
    const KernelPlan& plan = *site.block.plan;
    if (!plan.Get<SharedTiles>().on) return;
    PromoteToShared(site.block, site.instances, MostTileBytes(plan, *site.block.device), memory);
  }

  isl::schedule_node InsertCopies(const BlockOfKernel&, const isl::schedule_node& node,
                                  const isl::union_set& domain, LocalMemory* memory) const override {
    if (std::none_of(memory->tiles.begin(), memory->tiles.end(),
                     [](const LocalTile& tile) { return tile.shared; }))
      return node;
    return UpTo(node, InsertFill(FindMark(node, kInsideTilesMark), domain, memory));
  }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.plan.Get<SharedTiles>().opt_in) LayOutGivenMemory(kernel);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (kernel.given_shared_bytes == 0 || pass.plan.Get<SharedTiles>().opt_in ||
        pass.together.Get<JoinedGroups>().Joins(pass.kernel))
      return absl::OkStatus();
    return absl::FailedPreconditionError("the launch gives shared memory that was not asked for");
  }
};

}  // namespace

const CudaTransformation& SharedMemory() {
  static const SharedMemoryTransformation transformation;
  return transformation;
}

int64_t MostTileBytes(const KernelPlan& plan, const DeviceFacts& device) {
  const int64_t bytes =
      plan.Get<SharedTiles>().opt_in ? device.shared_bytes_per_block_optin : device.shared_bytes_per_block;
  return bytes / plan.Get<TileBuffers>().copies;
}

}  // namespace tune
