#include "common/transform/array_loads/array_loads.h"

#include "common/decision/offer.h"

namespace tune {
namespace {

class ArrayLoadsTransformation : public CudaTransformation {
  const char* name() const override { return "array_loads"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    LoadsOfArrays decided;
    for (const std::string& array : site.kernel.read_only_arrays) {
      const Offer offer{site.Key("loads_" + array), {"read_only", "plain", "texture"}, {}};
      TUNE_ASSIGN_OR_RETURN(const int loads, Ask(chooser, offer, 0));
      decided.loads[array] = static_cast<ArrayLoads>(loads);
    }
    plan->Set(std::move(decided));
    return absl::OkStatus();
  }

  void SetParameters(const KernelPass& pass, DeviceKernel* kernel) const override {
    const std::map<std::string, ArrayLoads>& decided = pass.plan.Get<LoadsOfArrays>().loads;
    for (KernelArray& used : kernel->arrays) {
      const DeviceArray& array = pass.arrays[used.array];
      const auto found = decided.find(array.scop_name);
      if (used.writes || found == decided.end()) continue;
      const bool possible = found->second != ArrayLoads::kTexture || FitsTexture(array);
      used.loads = possible ? found->second : ArrayLoads::kReadOnly;
    }
  }

  // Where it could not be had, an array is read as others are.
  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    const std::map<std::string, ArrayLoads>& decided = pass.plan.Get<LoadsOfArrays>().loads;
    for (const KernelArray& used : kernel.arrays) {
      const auto found = decided.find(pass.arrays[used.array].scop_name);
      const bool wanted = found != decided.end() && found->second == used.loads;
      if (!wanted && (used.loads == ArrayLoads::kPlain || used.loads == ArrayLoads::kTexture))
        return absl::FailedPreconditionError(
            absl::StrCat("array ", pass.arrays[used.array].name, " is read in another way"));
    }
    return absl::OkStatus();
  }

  // The host makes the texture objects.
  absl::Status ApplyTogether(const ProgramPass&, DeviceProgram* program) const override {
    for (const DeviceKernel& kernel : program->kernels) {
      for (const KernelArray& used : kernel.arrays)
        program->arrays[used.array].texture |= used.loads == ArrayLoads::kTexture;
    }
    return absl::OkStatus();
  }
};

}  // namespace

const CudaTransformation& LoadsByArray() {
  static const ArrayLoadsTransformation transformation;
  return transformation;
}

}  // namespace tune
