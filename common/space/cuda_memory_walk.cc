#include "common/space/cuda_memory_walk.h"

#include "common/space/cuda_reduction_walk.h"
#include "common/space/simple_choices.h"

namespace tune {
namespace {

constexpr int kCarveouts[] = {-1, 0, 50, 100};

}  // namespace

absl::Status ChooseMemory(const Kernel& kernel, const DeviceFacts& device, Chooser& chooser,
                          CudaKernelPlan& plan) {
  for (const std::string& array : kernel.read_only_arrays) {
    TUNE_ASSIGN_OR_RETURN(const int loads, ChooseOption(chooser, absl::StrCat(kernel.name, ".loads_", array),
                                                        {"read_only", "plain", "texture"}, 0));
    plan.loads[array] = static_cast<ArrayLoads>(loads);
  }
  if (device.DividesMemory()) {
    TUNE_ASSIGN_OR_RETURN(const int cache, ChooseOption(chooser, kernel.name + ".cache",
                                                        {"default", "l1", "half", "shared"}, 0));
    plan.carveout = kCarveouts[cache];
  }
  if (!kernel.writes_words) return absl::OkStatus();
  // What threads add up together is added to the array's element, not stored.
  const bool adds = plan.HasReduction() && kernel.reduction->atomic;
  TUNE_ASSIGN_OR_RETURN(const int stores, ChooseOption(chooser, kernel.name + ".stores", {"plain", "atomic"},
                                                       0, {true, !adds || BlocksCanAdd(kernel, device)}));
  plan.atomic_stores = stores == 1;
  return absl::OkStatus();
}

}  // namespace tune
