#include "common/transform/loads_ahead/loads_ahead.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/transform/loads_ahead/ahead_loops.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/unroll/unroll.h"

namespace tune {
namespace {

constexpr int64_t kIterations[] = {4, 8, 16, 32, 64};
constexpr int64_t kOtherRegisters = 48;  // about what the loop needs besides
constexpr int64_t kStandardRegisters = 128;
// By default, of loops that walk along no row, where blocks have few threads: parts of more rows at the same
// time are slower (H200, deriche's columns with 32 and 64 rows ahead: blocks of 8 threads 310 and 710 us, of
// 16 threads 255 and 250, of 32 threads 243 and 207; its rows with 8 threads 269 and 239).
constexpr int64_t kFewThreads = 8;
constexpr int64_t kMostRows = 32;

// Of what is loaded.
int64_t RegistersOf(const InnerLoop& loop, int64_t iterations) { return loop.words_read * iterations; }

// Two at least: one that runs while another is loaded.
bool HasChunks(const InnerLoop& loop, int64_t iterations) {
  return loop.iterations < 0 || loop.iterations >= 2 * iterations;
}

class AheadLoadsTransformation : public CudaTransformation {
  const char* name() const override { return "loads_ahead"; }

  // The loop that can load ahead.
  static std::optional<InnerLoop> LoopOf(const KernelSite& site) {
    const ThreadMapping& threads = site.threads();
    const bool other_loads = site.plan.Get<SharedTiles>().on || threads.HasReduction() ||
                             threads.HasHelpers() || threads.Points() > 1;
    const std::optional<InnerLoop> loop = site.LongestRecurrence();
    if (other_loads || !loop || !HasChunks(*loop, kIterations[0]) || loop->words_read == 0) return {};
    return loop;
  }

  // Off, and those for which there are registers.
  static Offer Options(const KernelSite& site, const InnerLoop& loop) {
    Offer offer{site.Key("ahead"), {"off"}, {true}, /*unrecorded=*/0};
    const bool unrolled = site.plan.Get<UnrollFactor>().factor > 1;
    for (const int64_t iterations : kIterations) {
      offer.options.push_back(absl::StrCat(iterations));
      offer.legal.push_back(!unrolled &&
                            RegistersOf(loop, iterations) + kOtherRegisters <= site.MostRegisters() &&
                            HasChunks(loop, iterations));
    }
    return offer;
  }

  static int Default(const KernelSite& site, const InnerLoop& loop, const Offer& offer) {
    int best = 0;
    if (!site.WaitsInRecurrence()) return best;
    for (size_t i = 0; i < std::size(kIterations); ++i) {
      if (offer.legal[i + 1] && RegistersOf(loop, kIterations[i]) <= kStandardRegisters &&
          (loop.along_rows || kIterations[i] <= kMostRows || site.threads().Threads() > kFewThreads))
        best = static_cast<int>(i) + 1;
    }
    return best;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const std::optional<InnerLoop> loop = LoopOf(site);
    if (!loop) return absl::OkStatus();
    const Offer offer = Options(site, *loop);
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, Default(site, *loop, offer)));
    plan->Set(LoadsAhead{chosen == 0 ? 0 : kIterations[chosen - 1]});
    return absl::OkStatus();
  }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    const int64_t iterations = pass.plan.Get<LoadsAhead>().iterations;
    if (iterations > 0) LoadAhead(pass.arrays, iterations, kernel);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    absl::Status status;
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop == nullptr || loop->ahead == 0 || loop->wide ||
          loop->ahead == pass.plan.Get<LoadsAhead>().iterations)
        return;
      status = absl::FailedPreconditionError(
          absl::StrCat("a loop loads what it reads ", loop->ahead, " iterations ahead"));
    });
    return status;
  }
};

}  // namespace

const CudaTransformation& AheadLoads() {
  static const AheadLoadsTransformation transformation;
  return transformation;
}

}  // namespace tune
