// The files of hand-written kernels whose studies have ended.
#pragma once

#include <string>
#include <vector>

#include "client/cli/tuned_output.h"

namespace tune {

// OK where the studies' results go into the same files: the same kernels in the same version, tuned by
// one objective, on devices and at sizes that may differ. INVALID_ARGUMENT says what differs, and what to do.
absl::Status CheckSameKernels(const TunedStudy& first, const TunedStudy& other);

// The studies, each size on each device once: of two of the same the better one by the objective. What is
// left out is told in *left_out, a line each.
absl::StatusOr<std::vector<TunedStudy>> BestOfEach(std::vector<TunedStudy> studies,
                                                   std::vector<std::string>* left_out);

// A header of macros, the wisdom of all studies, and, in CUDA, a file of each size on each device with its
// launch function, and of several sizes or devices some that launch the right one. Precondition:
// CheckSameKernels, BestOfEach.
absl::StatusOr<TunedOutput> PrintTunedKernels(const std::vector<TunedStudy>& studies,
                                              const std::string& output);

// "matmul.tuned.wisdom" of "matmul.tuned.h".
std::string WisdomPath(const std::string& output);

}  // namespace tune
