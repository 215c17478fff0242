#include "common/kernel/trip_count.h"
#include "common/transform/thread_tiles/thread_tiles.h"

namespace tune {
namespace {

constexpr size_t kMostAxes = 3;

class MappedLoopsTransformation : public CudaTransformation {
  const char* name() const override { return "thread_tiles"; }

  absl::Status Decide(const KernelSite& site, Chooser&, KernelPlan* plan) const override {
    for (const int member : Members(site.kernel)) plan->threads.axes.push_back({member});
    return absl::OkStatus();
  }

  // Of the root band, outermost first. In a permutable band any coincident one; else those before the first
  // that is not coincident.
  static std::vector<int> Members(const Kernel& kernel) {
    std::vector<int> members;
    if (kernel.bands.empty()) return members;
    const KernelBand& root = kernel.bands[0];
    for (int m = 0; m < root.member_count(); ++m) {
      if (root.coincident[m] && Repeats(root.trip_counts[m])) members.push_back(m);
      if (!root.coincident[m] && !root.permutable) break;
    }
    if (members.size() > kMostAxes) members.erase(members.begin(), members.end() - kMostAxes);
    return members;
  }
};

}  // namespace

const CudaTransformation& MappedLoops() {
  static const MappedLoopsTransformation transformation;
  return transformation;
}

}  // namespace tune
