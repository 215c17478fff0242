#include "worker/codegen/cuda_passes.h"

#include "common/transform/transformations.h"
#include "common/tuned/device_interface.h"
#include "worker/lower/host_lowering.h"
#include "worker/lower/kernel_lowering.h"
#include "worker/lower/kernel_parameters.h"
#include "worker/passes/fill_barriers.h"
#include "worker/passes/register_subscripts.h"

namespace tune {
namespace {

KernelPass PassOf(const MappedKernel& kernel, const CudaPlan& plan, const ParsedScop& scop,
                  const std::vector<DeviceArray>& arrays, const HelperNames& names) {
  return {*kernel.kernel, *kernel.plan, plan.together, scop.proto, arrays, names};
}

void Transform(const KernelPass& pass, DeviceKernel* kernel) {
  for (const CudaTransformation* transformation : CudaTransformations())
    transformation->SetParameters(pass, kernel);
  for (const CudaTransformation* transformation : CudaTransformations()) transformation->Apply(pass, kernel);
  PlaceFillBarriers(kernel);
  for (const CudaTransformation* transformation : CudaTransformations())
    transformation->ApplyAfterBarriers(pass, kernel);
}

}  // namespace

absl::StatusOr<DeviceProgram> MakeDeviceProgram(IslContext& context, const CudaPlan& plan,
                                                const CudaSpaceOptions& options, const MappedProgram& mapped,
                                                const ParsedScop& scop, std::vector<DeviceArray> arrays,
                                                const HelperNames& names, bool origins) {
  DeviceProgram program;
  program.arrays = std::move(arrays);
  const std::string name = CIdentifier(scop.proto.name());
  for (size_t i = 0; i < mapped.kernels.size(); ++i) {
    const MappedKernel& from = mapped.kernels[i];
    TUNE_ASSIGN_OR_RETURN(DeviceKernel kernel, LowerKernelParameters(from, scop, program.arrays,
                                                                     absl::StrCat(name, "_kernel", i)));
    LowerKernelBody(context, from, scop, program.arrays, names, origins, &kernel);
    LoopOverRegisterSubscripts(names, &kernel);
    Transform(PassOf(from, plan, scop, program.arrays, names), &kernel);
    program.kernels.push_back(std::move(kernel));
  }
  program.host = LowerHost(mapped, scop.context, names);
  const ProgramPass pass{options.device, plan.kernels, plan.together, name, names};
  for (const CudaTransformation* transformation : CudaTransformations())
    TUNE_RETURN_IF_ERROR(transformation->ApplyTogether(pass, &program));
  return program;
}

absl::Status CheckDecisions(const CudaPlan& plan, const MappedProgram& mapped, const ParsedScop& scop,
                            const HelperNames& names, const DeviceProgram& program) {
  for (size_t i = 0; i < mapped.kernels.size(); ++i) {
    TUNE_RETURN_IF_ERROR(
        CheckDecisions(PassOf(mapped.kernels[i], plan, scop, program.arrays, names), program.kernels[i]));
  }
  return absl::OkStatus();
}

}  // namespace tune
