// From a configuration's text to a shared object for tune-runner.
#pragma once

#include <string>
#include <vector>

#include "common/kernel_definition/launch.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/compiler.h"

namespace tune {

// What a shared object is made of beside the user's other files and flags.
struct KernelText {
  std::string adapter;              // PrintHostAdapter
  std::string file;                 // that it includes, and that is not compiled by itself
  std::vector<std::string> macros;  // "NAME=VALUE"
};

// With those of its files that are compiled: not those that arguments are filled from.
v1::Program WithoutValues(const v1::Program& program, const v1::KernelDefinition& definition);

// Of a configuration; of the host function that computes the reference, where there is one, which sees no
// macros of configurations unless it stands in the kernels' own file. Errors as PrintHostAdapter.
absl::StatusOr<KernelText> TextOfConfiguration(const v1::KernelDefinition& definition,
                                               const EvaluatedConfiguration& configuration);
absl::StatusOr<KernelText> TextOfReference(const v1::KernelDefinition& definition,
                                           const EvaluatedConfiguration& default_configuration);

// Compiles in `folder`, which is made. A text that does not compile is a result. Errors as
// Compiler::CompileProgram, or the disk's.
absl::StatusOr<CompileResult> CompileKernels(const v1::StudySetup& setup, const KernelText& text,
                                             const std::string& folder, Compiler* compiler,
                                             const CompileLimits& limits);

}  // namespace tune
