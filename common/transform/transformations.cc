#include "common/transform/transformations.h"

#include <algorithm>

#include "common/decision/configuration.h"
#include "common/transform/array_loads/array_loads.h"
#include "common/transform/asynchronous_fills/asynchronous_fills.h"
#include "common/transform/block_order/block_order.h"
#include "common/transform/blocked_loops/blocked_loops.h"
#include "common/transform/boundary_tiles/boundary_tiles.h"
#include "common/transform/buffers/buffers.h"
#include "common/transform/cache_division/cache_division.h"
#include "common/transform/coalesced_loops/coalesced_loops.h"
#include "common/transform/distribution/distribution.h"
#include "common/transform/expansion/expanded_arrays.h"
#include "common/transform/fill_threads/helper_threads.h"
#include "common/transform/index_split/index_sets.h"
#include "common/transform/joined_launches/joined_launches.h"
#include "common/transform/launch_bounds/launch_bounds.h"
#include "common/transform/launches/launches.h"
#include "common/transform/loads_ahead/loads_ahead.h"
#include "common/transform/loop_tiles/loop_tiles.h"
#include "common/transform/one_pass/one_pass.h"
#include "common/transform/packed_product/packed_product.h"
#include "common/transform/parallel_loop/parallel_loop.h"
#include "common/transform/parenthesis_blocks/parenthesis_blocks.h"
#include "common/transform/pivot_blocks/pivot_blocks.h"
#include "common/transform/reduction/reduction.h"
#include "common/transform/register_rows/register_rows.h"
#include "common/transform/register_sums/device_sums.h"
#include "common/transform/register_sums/host_sums.h"
#include "common/transform/registers/registers.h"
#include "common/transform/repeated_values/repeated_values.h"
#include "common/transform/row_pieces/row_pieces.h"
#include "common/transform/serial_tiles/serial_tiles.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/simd/simd.h"
#include "common/transform/split_extrema/split_extrema.h"
#include "common/transform/split_sums/split_sums.h"
#include "common/transform/stores/stores.h"
#include "common/transform/streamed_tiles/streamed_tiles.h"
#include "common/transform/streaming_loads/streaming_loads.h"
#include "common/transform/tensor_cores/tensor_cores.h"
#include "common/transform/thread_tiles/thread_tiles.h"
#include "common/transform/time_tiles/time_tiles.h"
#include "common/transform/turned_sums/turned_sums.h"
#include "common/transform/unroll/host_unroll.h"
#include "common/transform/unroll/unroll.h"
#include "common/transform/wavefront_tiles/wavefront_tiles.h"
#include "common/transform/wide_fills/wide_fills.h"
#include "common/transform/wide_loads/wide_loads.h"

namespace tune {

const std::vector<const ScopTransformation*>& ScopTransformations() {
  static const std::vector<const ScopTransformation*> list = {
      &SplitExtrema(),      &ExpandedArrays(), &RepeatedValues(), &IndexSets(),    &CoalescedLoops(),
      &SplitSums(),         &OnePass(),        &BlockedLoops(),   &PivotBlocks(),  &TurnedSums(),
      &ParenthesisBlocks(), &WavefrontTiles(), &TimeTiles(),      &StreamedTiles()};
  return list;
}

const std::vector<const CudaTransformation*>& CudaTransformations() {
  static const std::vector<const CudaTransformation*> list = {
      &MappedLoops(),        &WarpProducts(),   &ReductionSharing(), &ThreadTiles(),   &Distribution(),
      &ThreadRegisterRows(), &SharedMemory(),   &HelperThreads(),    &SerialTiles(),   &WideFills(),
      &AsynchronousFills(),  &Buffers(),        &Registers(),        &Unroll(),        &TensorCores(),
      &LaunchBounds(),       &LoadsByArray(),   &Streaming(),        &CacheDivision(), &Stores(),
      &Launches(),           &JoinedLaunches(), &OrderOfBlocks(),    &BoundaryTiles(), &DeviceSums(),
      &AheadLoads(),         &PiecesOfRows(),   &WideLoads(),
  };
  return list;
}

const std::vector<const OpenMpTransformation*>& OpenMpTransformations() {
  static const std::vector<const OpenMpTransformation*> list = {
      &PackedProducts(), &LoopTiles(), &ParallelLoop(), &HostUnroll(), &Simd(), &HostSums(),
  };
  return list;
}

absl::StatusOr<HostKernelPlan> DecideHostKernel(const Kernel& kernel, int hardware_threads, bool written,
                                                Chooser& chooser) {
  HostKernelPlan plan;
  plan.name = kernel.name;
  const HostKernelSite site{kernel, hardware_threads, written, plan};
  for (const OpenMpTransformation* transformation : OpenMpTransformations())
    TUNE_RETURN_IF_ERROR(transformation->Decide(site, chooser, &plan));
  return plan;
}

absl::StatusOr<KernelPlan> DecideKernel(const Kernel& kernel, const DeviceFacts& device, bool exact,
                                        Chooser& chooser, MatrixProducts products, int64_t threads_beside) {
  KernelPlan plan;
  plan.name = kernel.name;
  const KernelSite site{kernel, device, exact, plan, products, threads_beside};
  for (const CudaTransformation* transformation : CudaTransformations())
    TUNE_RETURN_IF_ERROR(transformation->Decide(site, chooser, &plan));
  return plan;
}

int64_t ThreadsBeside(const std::vector<Kernel>& kernels, size_t number, const DeviceFacts& device,
                      bool exact) {
  const Kernel& kernel = kernels[number];
  const auto is_step = [](const Kernel& of) {
    return of.tile_loops.count > 0 && of.host_depth > of.tile_loops.first + of.tile_loops.count;
  };
  const bool copies = kernel.tile_loops.count > 0 && !is_step(kernel);
  int64_t most = 0;
  for (const Kernel& other : kernels) {
    const bool sums = kernel.reduction && other.reduction && other.launch_group == kernel.launch_group &&
                      other.host_depth == 0;
    const bool in_tile = kernel.tile_loops.count > 0 && other.tile_loops == kernel.tile_loops;
    const bool steps = copies && is_step(other) && in_tile;
    if (&other == &kernel || (!sums && !steps && !(in_tile && other.reduction))) continue;
    DefaultChooser standard;
    const absl::StatusOr<KernelPlan> plan = DecideKernel(other, device, exact, standard);
    if (plan.ok() && (steps || plan->threads.HasReduction())) most = std::max(most, plan->threads.Threads());
  }
  return most;
}

absl::Status DecideTogether(const std::vector<Kernel>& kernels, const DeviceFacts& device, Chooser& chooser,
                            std::vector<KernelPlan>* plans, Decisions* together) {
  const ProgramSite site{kernels, device, *plans, *together};
  for (const CudaTransformation* transformation : CudaTransformations())
    TUNE_RETURN_IF_ERROR(transformation->DecideTogether(site, chooser, plans, together));
  return absl::OkStatus();
}

absl::Status CheckDecisions(const KernelPass& pass, const DeviceKernel& kernel) {
  for (const CudaTransformation* transformation : CudaTransformations()) {
    const absl::Status status = transformation->Check(pass, kernel);
    if (status.ok()) continue;
    return absl::Status(status.code(), absl::StrCat("kernel ", kernel.name, " is not what ",
                                                    transformation->name(), " decided: ", status.message()));
  }
  return absl::OkStatus();
}

}  // namespace tune
