#include "worker/codegen/cuda_generator.h"

#include "common/array/element_type.h"
#include "common/space/cuda_launches_walk.h"
#include "common/space/cuda_limits.h"
#include "worker/check/mapping_check.h"
#include "worker/codegen/c_text.h"
#include "worker/codegen/cuda_kernel_printer.h"
#include "worker/codegen/launch_plan_printer.h"
#include "worker/codegen/persistent_kernel_printer.h"
#include "worker/codegen/texture_text.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {
namespace {

// Of the shared memory that a kernel declares: tiles and what its reduction exchanges.
int64_t SharedBytes(const MappedKernel& kernel, const ParsedScop& scop) {
  int64_t bytes = 0, exchanged = 0;
  for (const LocalTile& tile : kernel.memory.tiles) {
    const int64_t element = static_cast<int64_t>(ElementSize(scop.array(tile.array).element_type()));
    if (tile.shared) {
      int64_t rows = 1;
      for (size_t i = 0; i + 1 < tile.extents.size(); ++i) rows *= tile.extents[i];
      bytes += rows * tile.row_length * element;
    }
    if (tile.combined_by != v1::NONE) exchanged += kernel.ThreadCount() * element;
  }
  return bytes + exchanged;
}

// Makes one kernel of all.
absl::Status MakePersistent(const CudaPlan& plan, const CudaSpaceOptions& options, const ParsedScop& scop,
                            const MappedProgram& mapped, const std::vector<KernelSignature>& signatures,
                            const isl::set& values, const HelperNames& names, CudaProgram* program) {
  int64_t shared = 0;
  for (const MappedKernel& kernel : mapped.kernels) shared += SharedBytes(kernel, scop);
  if (shared > options.max_shared_bytes) {
    return absl::InvalidArgumentError(absl::StrCat("one launch for all kernels would need ", shared,
                                                   " bytes of shared memory in a block, and there are ",
                                                   options.max_shared_bytes));
  }
  PersistentKernel kernel;
  kernel.function = CIdentifier(scop.proto.name()) + "_persistent";
  kernel.threads = CommonThreads(plan);
  if (plan.launches == CudaLaunches::kGrid) {
    // All must be there at once, or the driver refuses the launch.
    kernel.per_processor = std::max<int64_t>(
        1, std::min({kMostThreadsOfBlock / kernel.threads, kBlocksOfMultiprocessor,
                     options.multiprocessor_shared_bytes / (shared + kReservedSharedBytes)}));
    kernel.blocks = kernel.per_processor * options.multiprocessors;
  }
  const PersistentKernelText text = PrintPersistentKernel(kernel, mapped, signatures, values, names);
  absl::StrAppend(&program->kernels, "\n", text.kernel);
  program->plan = text.plan;
  CudaKernelFacts facts{kernel.function, "all kernels", {kernel.threads, 1, 1}};
  facts.cooperative = kernel.blocks > 1;
  program->facts = {facts};
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CudaProgram> GenerateCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                                         const v1::Reference& reference) {
  IslContext& context = plan.schedules->context();
  const ParsedScop& scop = plan.schedules->scop();
  const std::map<std::string, int64_t>& values = plan.schedules->parameter_values();
  const HelperNames names = ChooseHelperNames(scop.proto);
  CudaProgram program;
  // 1. What to allocate.
  TUNE_ASSIGN_OR_RETURN(program.arrays, DeviceArrays(context, scop, reference));
  // 2. Launches and threads.
  TUNE_ASSIGN_OR_RETURN(
      const MappedProgram mapped,
      MapCudaPlan(context, plan, scop, options, values, CudaIds{names.host, names.block, names.thread}));
  return context.Run("code generation", [&]() -> absl::StatusOr<CudaProgram> {
    const bool together = plan.launches != CudaLaunches::kSeparate && !mapped.kernels.empty();
    // 3. Every kernel's text.
    std::vector<KernelSignature> signatures;
    std::set<std::string> macros;
    for (size_t i = 0; i < mapped.kernels.size(); ++i) {
      const std::string function = absl::StrCat(CIdentifier(scop.proto.name()), "_kernel", i);
      TUNE_ASSIGN_OR_RETURN(KernelSignature signature,
                            MakeKernelSignature(mapped.kernels[i], scop, program.arrays, function, together));
      const CudaKernelText text =
          PrintCudaKernel(context, mapped.kernels[i], scop, values, names, &signature);
      absl::StrAppend(&program.kernels, program.kernels.empty() ? "" : "\n", text.text);
      macros.insert(text.macros.begin(), text.macros.end());
      CudaKernelFacts facts{function, mapped.kernels[i].kernel->name, mapped.kernels[i].threads};
      facts.carveout = mapped.kernels[i].plan->carveout;
      program.facts.push_back(std::move(facts));
      signatures.push_back(std::move(signature));
    }
    for (const KernelSignature& signature : signatures) {
      for (const KernelSignature::Array& array : signature.arrays)
        program.arrays[array.array->index].texture |= array.loads == ArrayLoads::kTexture;
    }
    program.kernels.insert(
        0, absl::StrCat(MacroDefinitions(names, macros), TextureFunctions(program.arrays, names.texture)));
    // 4. The order of their launches.
    const isl::set known = ParameterValues(context, values);
    if (!together) {
      program.plan = PrintLaunchPlan(context, mapped, signatures, program.arrays.size(), known, names);
      return std::move(program);
    }
    TUNE_RETURN_IF_ERROR(MakePersistent(plan, options, scop, mapped, signatures, known, names, &program));
    return std::move(program);
  });
}

absl::Status CheckCuda(const CudaPlan& plan, const CudaSpaceOptions& options) {
  IslContext& context = plan.schedules->context();
  const ParsedScop& scop = plan.schedules->scop();
  const std::map<std::string, int64_t>& values = plan.schedules->parameter_values();
  const HelperNames names = ChooseHelperNames(scop.proto);
  const CudaIds ids{names.host, names.block, names.thread};
  TUNE_ASSIGN_OR_RETURN(const MappedProgram mapped, MapCudaPlan(context, plan, scop, options, values, ids));
  return CheckMapping(context, mapped, scop, plan.schedules->dependences(), values, ids);
}

}  // namespace tune
