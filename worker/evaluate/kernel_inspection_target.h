// Hand-written kernels in CUDA, built to be looked at.
#pragma once

#include <memory>

#include "common/kernel_definition/configuration_reader.h"
#include "worker/build/build_slots.h"
#include "worker/build/cubin_compiler.h"
#include "worker/evaluate/inspector.h"

namespace tune {

class KernelInspectionTarget : public InspectionTarget {
 public:
  // `slots` may be null: no limit. Compilers and slots are not owned. Errors of ConfigurationReader::Make.
  static absl::StatusOr<std::unique_ptr<KernelInspectionTarget>> Make(v1::StudySetup setup,
                                                                      CubinCompiler* cubin, Compiler* host,
                                                                      BuildSlots* slots);
  absl::StatusOr<CompiledKernels> Compile(const v1::Configuration& configuration,
                                          const TaskControl& control) override;

 private:
  KernelInspectionTarget(v1::StudySetup setup, ConfigurationReader reader, CubinCompiler* cubin,
                         Compiler* host, BuildSlots* slots);

  const v1::StudySetup setup_;
  const ConfigurationReader reader_;
  CubinCompiler* const cubin_;
  Compiler* const host_;
  BuildSlots* const slots_;
};

}  // namespace tune
