#include "worker/cases/measured_registers.h"

#include "absl/strings/str_cat.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "worker/cases/case_kernel_printer.h"
#include "worker/ptx/cubin_resources.h"

namespace tune {
namespace {

// Every variant of every kernel.
std::string AllKernels(const ParametricRegion& region) {
  std::string text;
  CaseHelpers helpers;
  for (const ParametricKernel& kernel : region.kernels) {
    for (const KernelVariant& variant : AllVariants(kernel.UsesSharedMemory(), kernel.Coarsens())) {
      const CaseKernelText printed = PrintCaseKernel(kernel, region, variant);
      helpers.Add(printed.helpers);
      text += printed.text;
    }
  }
  return helpers.Definitions(region.names) + text;
}

absl::StatusOr<std::string> CompileToCubin(const std::string& text, const std::string& architecture) {
  TUNE_ASSIGN_OR_RETURN(const std::string nvcc, FindNvcc());
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string source = folder.path() + "/kernels.cu", cubin = folder.path() + "/kernels.cubin";
  TUNE_RETURN_IF_ERROR(WriteFile(source, text));
  SubprocessOptions limits;
  limits.wall_limit = absl::Minutes(5);
  TUNE_ASSIGN_OR_RETURN(
      const SubprocessResult result,
      RunSubprocess({nvcc, "-O3", "-cubin", "-arch=" + architecture, source, "-o", cubin}, limits));
  if (!result.ok()) {
    const std::string words = result.standard_error.substr(0, result.standard_error.find('\n'));
    return absl::FailedPreconditionError(
        absl::StrCat("nvcc ", result.Describe(), words.empty() ? "" : ": ", words));
  }
  return ReadFile(cubin);
}

}  // namespace

absl::StatusOr<std::vector<VariantRegisters>> MeasureRegisters(const ParametricRegion& region,
                                                               const std::string& architecture) {
  TUNE_ASSIGN_OR_RETURN(const std::string cubin, CompileToCubin(AllKernels(region), architecture));
  TUNE_ASSIGN_OR_RETURN(const auto resources, ReadCubinResources(cubin));
  std::vector<VariantRegisters> registers;
  for (const ParametricKernel& kernel : region.kernels) {
    VariantRegisters& of_kernel = registers.emplace_back();
    for (const KernelVariant& variant : AllVariants(kernel.UsesSharedMemory(), kernel.Coarsens())) {
      const auto found = resources.find(kernel.function + variant.Suffix());
      if (found != resources.end()) of_kernel[variant.Suffix()] = static_cast<int>(found->second.registers);
    }
  }
  return registers;
}

}  // namespace tune
