// A file with cases whose region libtune tunes while the program runs: what differs from case_file.h.
#pragma once

#include <string>

#include "worker/cases/case_entry.h"
#include "worker/cases/feedback_metrics.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// The parameters that libtune has of a region: the platform; on the device a block's format, the same for all
// of the region's kernels as far as they have axes, points of a thread, whether shared memory is used, and
// the length of its strips. Rules reject the device and its shared memory by `metrics`; one whose metric is
// not known is not there, nor is Min-Reuse where shared memory is to make accesses neighbours and not to be
// reused.
// The entry is tune_region_NAME, and tune_original_NAME, which is to stand behind the original.
CaseEntry MakeOnlineEntry(const ParametricRegion& region, const FeedbackMetrics& metrics);

// FUNCTION_pick of the kernel; `threads`: of a block, in C++ of a Format `format`.
std::string PickFunction(const ParametricKernel& kernel, const std::string& threads);

// INVALID_ARGUMENT when the region's name makes one of libtune's of an entry point.
absl::Status CheckOnlineName(const v1::Scop& scop);

}  // namespace tune
