#include "common/transform/register_rows/register_rows.h"

#include "common/decision/offer.h"
#include "common/kernel/trip_count.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/register_rows/row_tiles.h"

namespace tune {
namespace {

constexpr int64_t kOtherRegisters = 48;  // about what a thread needs besides

class RegisterRowsTransformation : public CudaTransformation {
  const char* name() const override { return "register_rows"; }

  static bool Fits(const KernelSite& site, const ThreadRows& rows) {
    return rows.words + kOtherRegisters <= site.MostRegisters() && rows.iterations <= kMostUnrolled;
  }

  // Whether the values of the coincident members, one each, are the threads.
  static bool OneThreadEach(const KernelSite& site) {
    const ThreadMapping& threads = site.threads();
    const KernelBand& band = site.kernel.bands[0];
    bool mapped = true;
    for (int m = 0; m < band.member_count(); ++m)
      mapped = mapped && (threads.IsMapped(m) || !band.coincident[m] || !Repeats(band.trip_counts[m]));
    return mapped && !threads.axes.empty() && threads.Points() == 1;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!site.kernel.rows || !site.CanKeepTiles() || !OneThreadEach(site) || !Fits(site, *site.kernel.rows))
      return absl::OkStatus();
    const Offer offer{site.Key("register_rows"), {"off", "on"}, {}, /*unrecorded=*/0};
    TUNE_ASSIGN_OR_RETURN(const int on, Ask(chooser, offer, /*standard=*/1));
    plan->Set(RegisterRows{on == 1});
    return absl::OkStatus();
  }

  void ApplyToLoops(const BlockOfKernel& block, ThreadNest* nest) const override {
    if (block.plan->Get<RegisterRows>().on) TurnIntoPoints(block, nest);
  }

  void AddTiles(const TileSite& site, LocalMemory* memory) const override {
    if (!site.block.plan->Get<RegisterRows>().on) return;
    for (const std::string& array : site.block.kernel->rows->arrays)
      AddRowTile(site.instances, array, site.block.kernel->constant_reads, memory);
  }
};

}  // namespace

const CudaTransformation& ThreadRegisterRows() {
  static const RegisterRowsTransformation transformation;
  return transformation;
}

}  // namespace tune
