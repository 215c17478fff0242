#include "worker/evaluate/cuda_inspection_target.h"

#include "worker/evaluate/cuda_compilation.h"
#include "worker/evaluate/recorded_launches.h"
#include "worker/ptx/ptx_reader.h"

namespace tune {

CudaInspectionTarget::CudaInspectionTarget(v1::StudySetup setup, GeneratorPool::Factory make_generator,
                                           int generators, CubinCompiler* cubin, Compiler* host,
                                           BuildSlots* slots)
    : setup_(std::move(setup)),
      generators_(std::move(make_generator), generators),
      cubin_(cubin),
      host_(host),
      slots_(slots) {}

absl::StatusOr<CompiledKernels> CudaInspectionTarget::Compile(const v1::Configuration& configuration,
                                                              const TaskControl& control) {
  control.Enter("generate");
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram program,
                        generators_.With<GeneratedProgram>([&](CodeGenerator& generator) {
                          const BuildSlots::Hold slot(slots_);
                          return generator.Generate(configuration);
                        }));
  control.Enter("compile");
  const BuildSlots::Hold slot(slots_);
  const CompileLimits limits = CompileLimitsOf(setup_.limits(), control.cancellation);
  CompiledKernels kernels;
  TUNE_ASSIGN_OR_RETURN(const CompileResult ptx, CompileToPtx(setup_, program.cuda.kernels, cubin_, limits));
  TUNE_ASSIGN_OR_RETURN(kernels.ptx, BinaryOf(ptx, static_cast<int64_t>(kMostPtxBytes)));
  TUNE_ASSIGN_OR_RETURN(const CompileResult cubin,
                        CompileToCubin(setup_, program.cuda.kernels, cubin_, limits));
  TUNE_ASSIGN_OR_RETURN(kernels.cubin, BinaryOf(cubin, kLargestCubin));
  // What goes wrong from here on is not the configuration's fault.
  absl::StatusOr<PtxModule> module = ReadPtx(kernels.ptx);
  if (!module.ok()) return absl::InternalError(module.status().message());
  absl::StatusOr<std::vector<KernelLaunches>> launches = RecordLaunches(program.cuda, *module, host_, limits);
  if (absl::IsInvalidArgument(launches.status())) return absl::InternalError(launches.status().message());
  TUNE_RETURN_IF_ERROR(launches.status());
  kernels.launches = *std::move(launches);
  return kernels;
}

}  // namespace tune
