#include "worker/codegen/cuda_passes.h"

#include <algorithm>

#include "common/space/cuda_launches_walk.h"
#include "common/space/cuda_limits.h"
#include "common/tuned/device_interface.h"
#include "worker/lower/host_lowering.h"
#include "worker/lower/kernel_lowering.h"
#include "worker/lower/kernel_parameters.h"
#include "worker/passes/block_coordinates.h"
#include "worker/passes/double_buffers.h"
#include "worker/passes/fill_barriers.h"
#include "worker/passes/fill_threads.h"
#include "worker/passes/given_shared_memory.h"
#include "worker/passes/merge_launches.h"
#include "worker/passes/thread_points.h"

namespace tune {
namespace {

// In this order, which each pass's header asks for.
void RunKernelPasses(const CudaKernelPlan& plan, const HelperNames& names, DeviceKernel* kernel) {
  UnrollBoundaryLoopsLess(kernel);
  UnrollPoints(kernel);
  if (plan.shared && plan.buffers > 1) DoubleBuffers(names, kernel);
  PlaceFillBarriers(kernel);
  AssignFillThreads(plan.fill_threads, names, kernel);
  UnrollFills(kernel);
  if (plan.opt_in) LayOutGivenMemory(kernel);
  DefineCoordinates(plan.block_order, names, kernel);
}

// One kernel for all.
absl::Status Merge(const CudaPlan& plan, const CudaSpaceOptions& options, const std::string& function,
                   DeviceProgram* program) {
  int64_t shared = 0;
  for (const DeviceKernel& kernel : program->kernels) shared += SharedBytes(kernel);
  if (shared > options.max_shared_bytes) {
    return absl::InvalidArgumentError(absl::StrCat("one launch for all kernels would need ", shared,
                                                   " bytes of shared memory in a block, and there are ",
                                                   options.max_shared_bytes));
  }
  MergedLaunch merged;
  merged.function = function;
  merged.threads = CommonThreads(plan);
  if (plan.launches == CudaLaunches::kGrid) {
    // All must be there at once, or the driver refuses the launch.
    merged.per_processor = std::max<int64_t>(
        1, std::min({kMostThreadsOfBlock / merged.threads, kBlocksOfMultiprocessor,
                     options.multiprocessor_shared_bytes / (shared + kReservedSharedBytes)}));
    merged.blocks = merged.per_processor * options.multiprocessors;
  }
  MergeLaunches(merged, program);
  return absl::OkStatus();
}

void MarkTextures(DeviceProgram* program) {
  for (const DeviceKernel& kernel : program->kernels) {
    for (const KernelArray& used : kernel.arrays)
      program->arrays[used.array].texture |= used.loads == ArrayLoads::kTexture;
  }
}

}  // namespace

absl::StatusOr<DeviceProgram> MakeDeviceProgram(IslContext& context, const CudaPlan& plan,
                                                const CudaSpaceOptions& options, const MappedProgram& mapped,
                                                const ParsedScop& scop, std::vector<DeviceArray> arrays,
                                                const HelperNames& names, bool origins) {
  DeviceProgram program;
  program.arrays = std::move(arrays);
  const std::string name = CIdentifier(scop.proto.name());
  const bool together = RunsInOneLaunch(plan.launches) && !mapped.kernels.empty();
  program.graph = plan.launches == CudaLaunches::kGraph && !mapped.kernels.empty();
  for (size_t i = 0; i < mapped.kernels.size(); ++i) {
    const MappedKernel& from = mapped.kernels[i];
    TUNE_ASSIGN_OR_RETURN(
        DeviceKernel kernel,
        LowerKernelParameters(from, scop, program.arrays, absl::StrCat(name, "_kernel", i), together));
    LowerKernelBody(context, from, scop, program.arrays, names, origins, &kernel);
    RunKernelPasses(*from.plan, names, &kernel);
    program.kernels.push_back(std::move(kernel));
  }
  MarkTextures(&program);
  program.host = LowerHost(mapped, ParameterValues(context, {}), names);
  if (together) TUNE_RETURN_IF_ERROR(Merge(plan, options, name + "_persistent", &program));
  return program;
}

}  // namespace tune
