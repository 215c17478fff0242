#include "common/transform/streaming_loads/streaming_loads.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/decision/offer.h"

namespace tune {
namespace {

class StreamingTransformation : public CudaTransformation {
  const char* name() const override { return "streaming_loads"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (site.kernel.read_only_arrays.empty()) return absl::OkStatus();
    const Offer offer{site.Key("streaming"), {"off", "on"}, {}, /*unrecorded=*/0};
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, 0));
    plan->Set(StreamingLoads{chosen == 1});
    return absl::OkStatus();
  }

  // CUDA has no such loads of the types that stand for numbers of 16 bits and for complex ones
  // (worker/print/half_text.h, worker/print/complex_text.h).
  static bool HasLoads(const DeviceArray& array) {
    return array.type != v1::ELEMENT_TYPE_FLOAT16 && !IsComplex(array.type);
  }

  void SetParameters(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (!pass.plan.Get<StreamingLoads>().on) return;
    size_t most = 1;
    for (const KernelArray& used : kernel->arrays) {
      if (!used.writes) most = std::max(most, pass.arrays[used.array].extents.size());
    }
    for (KernelArray& used : kernel->arrays) {
      const DeviceArray& array = pass.arrays[used.array];
      if (!used.writes && array.extents.size() == most && used.loads == ArrayLoads::kReadOnly &&
          HasLoads(array))
        used.loads = ArrayLoads::kStreaming;
    }
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    const bool streams = std::any_of(kernel.arrays.begin(), kernel.arrays.end(), [](const KernelArray& used) {
      return used.loads == ArrayLoads::kStreaming;
    });
    if (!streams || pass.plan.Get<StreamingLoads>().on) return absl::OkStatus();
    return absl::FailedPreconditionError("an array is read as it streams");
  }
};

}  // namespace

const CudaTransformation& Streaming() {
  static const StreamingTransformation transformation;
  return transformation;
}

}  // namespace tune
