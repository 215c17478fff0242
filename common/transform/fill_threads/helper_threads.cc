#include "common/transform/fill_threads/helper_threads.h"

#include "common/decision/offer.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/fill_threads/fill_threads.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

constexpr int64_t kFewThreadsOfBlock = 128;
constexpr int64_t kMostFillThreads = 512;
constexpr int64_t kFillingThreads = 512;  // of a block, by default

class HelperThreadsTransformation : public CudaTransformation {
  const char* name() const override { return "fill_threads"; }

  static bool Pays(const KernelSite& site) {
    return site.threads().axes.size() <= 2 && site.threads().Threads() <= kFewThreadsOfBlock &&
           site.LongestSerialMember() >= kLongLoop;
  }

  static NumberOffer Options(const KernelSite& site) {
    NumberOffer offer{site.Key("fill_threads"), {}, {}};
    const size_t axes = site.threads().axes.size();
    for (int64_t threads = 1; threads <= kMostFillThreads; threads *= 2)
      offer.Add(threads, threads <= site.ThreadsLeft() && (axes < 2 || threads <= kMostInZ) &&
                             (threads > 1 || axes > 0));
    return offer;
  }

  static int64_t Default(const KernelSite& site) {
    return site.WaitsForTerms() ? kFillingThreads / site.threads().Threads() : 1;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!plan->Get<SharedTiles>().on || !Pays(site)) return absl::OkStatus();
    const NumberOffer offer = Options(site);
    TUNE_ASSIGN_OR_RETURN(plan->threads.per_runner, Ask(chooser, offer, offer.Nearest(Default(site))));
    return absl::OkStatus();
  }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    AssignFillThreads(pass.plan.threads.per_runner, pass.names, kernel);
    UnrollFills(kernel);
  }
};

}  // namespace

const CudaTransformation& HelperThreads() {
  static const HelperThreadsTransformation transformation;
  return transformation;
}

}  // namespace tune
