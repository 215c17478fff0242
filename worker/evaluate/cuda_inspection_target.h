// Generated CUDA C, built to be looked at.
#pragma once

#include "worker/build/build_slots.h"
#include "worker/build/cubin_compiler.h"
#include "worker/evaluate/generator_pool.h"
#include "worker/evaluate/inspector.h"

namespace tune {

class CudaInspectionTarget : public InspectionTarget {
 public:
  // `slots` may be null: no limit. `generators`: the most that are kept. Compilers and slots are not owned.
  CudaInspectionTarget(v1::StudySetup setup, GeneratorPool::Factory make_generator, int generators,
                       CubinCompiler* cubin, Compiler* host, BuildSlots* slots);
  absl::StatusOr<CompiledKernels> Compile(const v1::Configuration& configuration,
                                          const TaskControl& control) override;

 private:
  const v1::StudySetup setup_;
  GeneratorPool generators_;
  CubinCompiler* const cubin_;
  Compiler* const host_;
  BuildSlots* const slots_;
};

}  // namespace tune
