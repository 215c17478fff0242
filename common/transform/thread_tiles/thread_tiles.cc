#include "common/transform/thread_tiles/thread_tiles.h"

#include "common/transform/thread_tiles/thread_points.h"
#include "common/transform/thread_tiles/tile_default.h"
#include "common/transform/thread_tiles/tile_offer.h"

namespace tune {
namespace {

class ThreadTilesTransformation : public CudaTransformation {
  const char* name() const override { return "thread_tiles"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    for (size_t place = 0; place < plan->threads.axes.size(); ++place) {
      if (plan->threads.Axis(place).reduction) continue;
      const NumberOffer tiles = OfferTiles(site, place);
      const TileSizes standard = DefaultTile(site, place, tiles);
      TUNE_ASSIGN_OR_RETURN(const int64_t tile, Ask(chooser, tiles, standard.tile));
      const NumberOffer blocks = OfferBlocks(site, place, tile);
      TUNE_ASSIGN_OR_RETURN(const int64_t block, Ask(chooser, blocks, blocks.Nearest(standard.block)));
      plan->threads.Axis(place).tile = tile;
      plan->threads.Axis(place).block = block;
    }
    return absl::OkStatus();
  }

  // x innermost.
  void ApplyToLoops(const BlockOfKernel& block, ThreadNest* nest) const override {
    for (const CudaAxis& axis : block.plan->threads.axes) {
      for (const PointNumber& point : block.Points(axis))
        nest->points.push_back({axis.member, point.number, point.count});
    }
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.kernel.tile_loops.count > 0) RunWholeColumns(kernel);
    UnrollBoundaryLoopsLess(kernel);
    TurnAtRowEnds(kernel);
    UnrollPoints(pass.names, kernel);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (kernel.ThreadCount() == pass.plan.threads.Threads()) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("a block has ", kernel.ThreadCount(), " threads, not ", pass.plan.threads.Threads()));
  }
};

}  // namespace

const CudaTransformation& ThreadTiles() {
  static const ThreadTilesTransformation transformation;
  return transformation;
}

}  // namespace tune
