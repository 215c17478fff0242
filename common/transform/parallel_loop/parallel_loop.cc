#include "common/transform/parallel_loop/parallel_loop.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/kernel/trip_count.h"
#include "common/transform/packed_product/packed_product.h"

namespace tune {
namespace {

// Below this many iterations starting threads costs more than it gains.
constexpr double kSmallestParallelWork = 100'000;
// The same of a product in register tiles, whose iterations are so much faster.
constexpr double kSmallestParallelProduct = 1'000'000;

// Iterations of one execution of the kernel: the largest product of trip counts from its root to an innermost
// band.
double LargestWork(const Kernel& kernel) {
  double largest = 0;
  std::vector<const KernelBand*> path;
  for (const KernelBand& band : kernel.bands) {
    while (!path.empty() && path.back()->depth + path.back()->member_count() > band.depth) path.pop_back();
    path.push_back(&band);
    double work = 1;
    for (const KernelBand* each : path) {
      for (const int64_t count : each->trip_counts) work *= count < 0 ? kSmallestParallelWork : count;
    }
    largest = std::max(largest, work);
  }
  return largest;
}

class ParallelLoopTransformation : public OpenMpTransformation {
  const char* name() const override { return "parallel_loop"; }

  // Members that can run in parallel.
  static std::vector<int> Members(const Kernel& kernel) {
    std::vector<int> members;
    if (kernel.bands.empty()) return members;
    const KernelBand& root = kernel.bands[0];
    for (int m = 0; m < root.member_count(); ++m) {
      if (root.coincident[m] && Repeats(root.trip_counts[m])) members.push_back(m);
    }
    return members;
  }

  static Offer Options(const HostKernelSite& site, const std::vector<int>& members) {
    Offer offer{site.Key("parallel"), {"none"}, {true}};
    const bool first_only = site.plan.Get<PackedProduct>().blocks.has_value();
    for (const int member : members) {
      offer.options.push_back(absl::StrCat(member));
      offer.legal.push_back(!first_only || member == members[0]);
    }
    return offer;
  }

  static bool PaysByDefault(const HostKernelSite& site) {
    if (site.kernel.updates_of_data) return false;  // by atomic operations
    const bool product = site.plan.Get<PackedProduct>().blocks.has_value();
    return LargestWork(site.kernel) >= (product ? kSmallestParallelProduct : kSmallestParallelWork);
  }

  static NumberOffer Threads(const HostKernelSite& site) {
    NumberOffer offer{site.Key("threads"), {}, {}};
    for (int64_t count = 2; count < site.hardware_threads; count *= 2) offer.Add(count, true);
    offer.Add(site.hardware_threads, true);
    return offer;
  }

  absl::Status Decide(const HostKernelSite& site, Chooser& chooser, HostKernelPlan* plan) const override {
    const std::vector<int> members = Members(site.kernel);
    if (site.hardware_threads < 2 || members.empty()) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int chosen,
                          Ask(chooser, Options(site, members), PaysByDefault(site) ? 1 : 0));
    if (chosen == 0) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int64_t threads, Ask(chooser, Threads(site), site.hardware_threads));
    plan->Set(
        ParallelMember{members[chosen - 1], static_cast<int>(threads), threads == site.hardware_threads});
    return absl::OkStatus();
  }

  void ApplyToBand(const HostKernelPlan& plan, size_t band, BandRequest* request) const override {
    const ParallelMember& parallel = plan.Get<ParallelMember>();
    if (band == 0) request->parallel_member = parallel.member;
    request->threads = parallel.threads;
    request->all_threads = parallel.all_threads;
  }
};

}  // namespace

const OpenMpTransformation& ParallelLoop() {
  static const ParallelLoopTransformation transformation;
  return transformation;
}

}  // namespace tune
