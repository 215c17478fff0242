#include "worker/codegen/cuda_generator.h"

#include "worker/codegen/c_text.h"
#include "worker/codegen/cuda_kernel_printer.h"
#include "worker/codegen/launch_plan_printer.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

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
    // 3. Every kernel's text.
    std::vector<KernelSignature> signatures;
    std::set<std::string> macros;
    for (size_t i = 0; i < mapped.kernels.size(); ++i) {
      const std::string function = absl::StrCat(CIdentifier(scop.proto.name()), "_kernel", i);
      TUNE_ASSIGN_OR_RETURN(KernelSignature signature,
                            MakeKernelSignature(mapped.kernels[i], scop, program.arrays, function));
      const CudaKernelText text =
          PrintCudaKernel(context, mapped.kernels[i], scop, values, names, &signature);
      absl::StrAppend(&program.kernels, program.kernels.empty() ? "" : "\n", text.text);
      macros.insert(text.macros.begin(), text.macros.end());
      program.facts.push_back({function, mapped.kernels[i].kernel->name, mapped.kernels[i].threads, 0});
      signatures.push_back(std::move(signature));
    }
    program.kernels.insert(0, MacroDefinitions(names, macros));
    // 4. The order of their launches.
    program.plan = PrintLaunchPlan(context, mapped, signatures, ParameterValues(context, values), names);
    return std::move(program);
  });
}

}  // namespace tune
