// Makes the evaluators of studies: the target of a study's device, with the generator that it asks for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worker/evaluate/cuda_target.h"
#include "worker/evaluate/inspector.h"
#include "worker/evaluate/pipeline_evaluator.h"
#include "worker/ppcg/ppcg_generator.h"
#include "worker/ppcg/ppcg_program.h"
#include "worker/run/runner.h"

namespace tune {

// Makes the evaluator of a study whose reference is known.
using EvaluatorFactory = std::function<absl::StatusOr<std::unique_ptr<Evaluator>>(
    const v1::StudySetup& setup, const ReferenceData& reference)>;

// The worker's devices of one model.
struct CudaDeviceGroup {
  v1::Device device;  // what the server is told of one of them
  DevicePool* pool;   // not owned
};

// What evaluators work with; nothing is owned.
struct EvaluatorTools {
  std::string worker;                 // name
  int slots = 1;                      // candidates for GPUs that are made at once
  int host_threads = 0;               // that the host's part of regions may use; 0: as OpenMP decides
  const PpcgProgram* ppcg = nullptr;  // null: there is none here
  Compiler* compiler = nullptr;
  Runner* runner = nullptr;
  CubinCompiler* cubin = nullptr;  // null: no `cuda` target here
  BuildSlots* builds = nullptr;
  std::vector<CudaDeviceGroup> devices;
};

// Makes the inspector of a study whose reference run is known to the server; its data need not be here, nor
// its device.
using InspectorFactory =
    std::function<absl::StatusOr<std::unique_ptr<Inspector>>(const v1::StudySetup& setup)>;

// Of studies on cuda. FAILED_PRECONDITION: the worker has no compiler for GPUs, or lacks the study's
// generator; INVALID_ARGUMENT: the study is not on cuda.
InspectorFactory CudaInspectorFactory(const EvaluatorTools& tools);

// PipelineEvaluator with the target of the study's device. Its errors: FAILED_PRECONDITION when the worker
// has no such device, or lacks the study's generator; those of the generators.
EvaluatorFactory PipelineEvaluatorFactory(const EvaluatorTools& tools);

// How the study's reference is run: that of a region, or of hand-written kernels, on a device of this worker.
ReferenceRun ReferenceRunOf(const v1::StudySetup& setup, const EvaluatorTools& tools);

// Of the study's limits and device. `cancellation`: not owned, may be null.
PpcgOptions PpcgOptionsFor(const v1::StudySetup& setup, Cancellation* cancellation);

// What a worker without ppcg says of a study whose generator it is.
absl::Status NoPpcg(const std::string& worker);

}  // namespace tune
