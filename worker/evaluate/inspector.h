// Configuration -> static metrics: it is built, and nothing runs on a device.
#pragma once

#include <memory>
#include <string>

#include "tune/v1/inspection.pb.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/compiler.h"
#include "worker/evaluate/evaluator.h"
#include "worker/ptx/compiled_kernels.h"

namespace tune {

// Builds configurations of one study for a device that need not be there. Thread safe.
class InspectionTarget {
 public:
  virtual ~InspectionTarget() = default;
  // INVALID_ARGUMENT and ABORTED: it is outside the space, or does not compile, with the reason; CANCELLED;
  // other errors: what it launches, or its PTX, cannot be had.
  virtual absl::StatusOr<CompiledKernels> Compile(const v1::Configuration& configuration,
                                                  const TaskControl& control) = 0;
};

// Thread safe.
class Inspector {
 public:
  Inspector(const v1::StudySetup& setup, std::unique_ptr<InspectionTarget> target);

  // Failure of a configuration is a result, without index, configuration and worker.
  v1::Inspection Inspect(const v1::InspectTask& task, const TaskControl& control);

 private:
  const DeviceFacts device_;
  const std::unique_ptr<InspectionTarget> target_;
};

}  // namespace tune
