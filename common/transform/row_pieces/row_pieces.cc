#include "common/transform/row_pieces/row_pieces.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/program/row_access.h"
#include "common/transform/loads_ahead/loads_ahead.h"
#include "common/transform/row_pieces/piece_loops.h"

namespace tune {
namespace {

class RowPiecesTransformation : public CudaTransformation {
  const char* name() const override { return "row_pieces"; }

  static bool CanHavePieces(const KernelSite& site) {
    const std::optional<InnerLoop> loop = site.LongestRecurrence();
    return site.plan.Get<LoadsAhead>().iterations > 0 && loop && loop->along_rows;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!CanHavePieces(site)) return absl::OkStatus();
    const Offer offer{site.Key("row_pieces"), {"off", "on"}, {}, /*unrecorded=*/0};
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, 1));
    plan->Set(RowPieces{chosen == 1});
    return absl::OkStatus();
  }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.plan.Get<RowPieces>().on) LoadAndStorePieces(pass.scop, pass.arrays, kernel);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (pass.plan.Get<RowPieces>().on) return absl::OkStatus();
    absl::Status status;
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop != nullptr && !loop->wide && (WidestPiece(*loop) > 1 || !loop->collected.empty()))
        status = absl::FailedPreconditionError("a loop loads or stores pieces of rows");
    });
    return status;
  }
};

}  // namespace

const CudaTransformation& PiecesOfRows() {
  static const RowPiecesTransformation transformation;
  return transformation;
}

}  // namespace tune
