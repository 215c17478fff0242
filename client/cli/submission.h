// From options to studies on the server.
#pragma once

#include <vector>

#include "client/cli/kernel_options.h"
#include "client/cli/program_options.h"
#include "client/cli/session.h"

namespace tune {

// Reads the program and makes one spec a region and size; of hand-written kernels one, of a definition, of
// options, or of both. Needs no server.
absl::StatusOr<std::vector<v1::StudySpec>> PrepareStudies(const ProgramOptions& program,
                                                          const StudyOptions& options,
                                                          const KernelOptions& kernel);

// Of --target auto: each spec for the host and for a GPU, where the workers offer both; else for what they
// offer, the host where nothing is known, and `note` says in a line what alone is tried.
std::vector<v1::StudySpec> ForEveryTarget(const std::vector<v1::StudySpec>& specs,
                                          const std::vector<v1::WorkerView>& workers, std::string* note);

// Submits each; the studies in the same order.
absl::StatusOr<std::vector<v1::Study>> SubmitStudies(Session& session, StudyClient& client,
                                                     const std::vector<v1::StudySpec>& specs);

// "s3 (gemm): region of kernel_gemm in gemm.c, lines 10 to 20"; "s4 (gemm): kernel gemm in gemm.c"
std::string SubmittedLine(const v1::Study& study, const v1::StudySpec& spec);

}  // namespace tune
