#include "worker/codegen/cuda_passes.h"

#include <algorithm>

#include "common/space/cuda_launches_walk.h"
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

// Registers that a thread of several blocks in one launch can have, which is what most kernels want.
constexpr int64_t kRegistersOfThread = 64;

// Blocks of so many threads, with so much shared memory each, that a multiprocessor holds at once: all of a
// launch must be there, or the driver refuses it.
int64_t BlocksAtOnce(const DeviceFacts& device, int64_t threads, int64_t shared) {
  const int64_t threads_at_once = std::min<int64_t>(device.max_threads_per_multiprocessor,
                                                    device.registers_per_multiprocessor / kRegistersOfThread);
  int64_t blocks = std::min<int64_t>(threads_at_once / threads, device.max_blocks_per_multiprocessor);
  const int64_t taken = shared + device.reserved_shared_bytes_per_block;
  if (taken > 0) blocks = std::min(blocks, device.shared_bytes_per_multiprocessor / taken);
  return std::max<int64_t>(1, blocks);
}

// One kernel for all.
absl::Status Merge(const CudaPlan& plan, const DeviceFacts& device, const std::string& function,
                   DeviceProgram* program) {
  int64_t shared = 0;
  for (const DeviceKernel& kernel : program->kernels) shared += SharedBytes(kernel);
  if (shared > device.shared_bytes_per_block) {
    return absl::InvalidArgumentError(absl::StrCat("one launch for all kernels would need ", shared,
                                                   " bytes of shared memory in a block, and there are ",
                                                   device.shared_bytes_per_block));
  }
  MergedLaunch merged;
  merged.function = function;
  merged.threads = CommonThreads(plan, device);
  if (plan.launches == CudaLaunches::kGrid) {
    merged.per_processor = BlocksAtOnce(device, merged.threads, shared);
    merged.blocks = merged.per_processor * device.multiprocessors;
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
  if (together) TUNE_RETURN_IF_ERROR(Merge(plan, options.device, name + "_persistent", &program));
  return program;
}

}  // namespace tune
