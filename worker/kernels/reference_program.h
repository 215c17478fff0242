// What computes a reference of hand-written kernels, on the host or on a device.
#pragma once

#include <string>

#include "common/kernel_definition/launch.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/cuda_tools.h"
#include "worker/reference/recorded_run.h"

namespace tune {

// Where kernels in CUDA run.
struct ReferenceDevice {
  v1::Device device;
  CudaTools tools;  // for it
};

// "the default configuration", "the reference function f": for messages.
std::string ReferenceText(const v1::KernelDefinition& definition);

// Builds it in `folder`, which is made; files that it needs there live as long as that. The tools outlive the
// result. FAILED_PRECONDITION without a device where one is needed; INVALID_ARGUMENT where it does not
// compile, with the first error, and all that the compiler said in `log`; CANCELLED.
absl::StatusOr<RecordedProgram> BuildReferenceProgram(const v1::StudySetup& setup,
                                                      const EvaluatedConfiguration& default_configuration,
                                                      const ReferenceTools& tools,
                                                      const ReferenceDevice* device,
                                                      const std::string& folder, std::string* log);

}  // namespace tune
