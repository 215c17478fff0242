// Hand-written kernels that were tuned at several sizes, in one program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// The sizes of a problem in which one differs from others.
struct KernelSize {
  std::vector<std::pair<int, int64_t>> values;  // place in KernelDefinition.problem, size
  std::string tag;                              // "n500_m7", of sizes without names "size0_4096"
  std::string text;                             // "n = 500, m = 7"
};

// Of definitions that differ in their sizes alone, each in others. INVALID_ARGUMENT: a size without a value;
// definitions that differ in nothing.
absl::StatusOr<std::vector<KernelSize>> FindKernelSizes(
    const std::vector<const v1::KernelDefinition*>& definitions);

// Headers of several sizes (PrintTunedHeader) as one: the compiler takes the one whose sizes it is told with
// -DTUNED_n=500 (-DTUNED_size0=4096), and refuses others. `name`: of the file, for its messages.
// `headers`: parallel to `sizes`.
std::string PrintSizedHeaders(const v1::KernelDefinition& definition, const std::vector<KernelSize>& sizes,
                              const std::vector<std::string>& headers, absl::string_view name);

// What nvcc, or cc, is told of a size: "-DTUNED_n=500".
std::vector<std::string> SizeMacrosOf(const v1::KernelDefinition& definition, const KernelSize& size);

// A CUDA file with the launch function of all sizes, which calls that of PrintTunedKernelFile for the size it
// is called with, and returns cudaErrorInvalidValue at any other:
//   cudaError_t tuned_NAME(cudaStream_t stream, long long m_size, ARGUMENTS...)
// A size that is the value of a number among the arguments is told by that; for others there is an argument.
// With a `tag` its name and those of the functions that it calls have that behind NAME: it is for one device.
std::string PrintKernelDispatch(const v1::KernelDefinition& definition, const std::vector<KernelSize>& sizes,
                                absl::string_view comment, const std::string& tag = "");

// Its declaration, without a semicolon, and the names of its arguments. Of `sizes` that differ in nothing, as
// of one study, it is that of PrintTunedKernelFile.
std::string KernelDispatchDeclaration(const v1::KernelDefinition& definition,
                                      const std::vector<KernelSize>& sizes, const std::string& tag = "");
std::vector<std::string> KernelDispatchArguments(const v1::KernelDefinition& definition,
                                                 const std::vector<KernelSize>& sizes);

// "NVIDIA_H200_n500" of a device's tag and a size's, of which either may be empty.
std::string JoinedTags(const std::string& device, const std::string& size);

}  // namespace tune
