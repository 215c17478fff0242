// The files of hand-written kernels whose studies have ended.
#pragma once

#include <string>
#include <vector>

#include "client/cli/tuned_output.h"

namespace tune {

// OK where the studies' results go into the same files: the same kernels in the same version, tuned for one
// device and by one objective, at sizes that may differ. INVALID_ARGUMENT says what differs, and what to do.
absl::Status CheckSameKernels(const TunedStudy& first, const TunedStudy& other);

// The studies, each size once: of two of the same size the better one by the objective. What is left out is
// told in *left_out, a line each.
absl::StatusOr<std::vector<TunedStudy>> BestOfEachSize(std::vector<TunedStudy> studies,
                                                       std::vector<std::string>* left_out);

// A header of macros, the wisdom of all studies, and, in CUDA, a file of each size with its launch function,
// and of several sizes one that launches the right one. Precondition: CheckSameKernels, BestOfEachSize.
absl::StatusOr<TunedOutput> PrintTunedKernels(const std::vector<TunedStudy>& studies,
                                              const std::string& output);

// "matmul.tuned.wisdom" of "matmul.tuned.h".
std::string WisdomPath(const std::string& output);

}  // namespace tune
