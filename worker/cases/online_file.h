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
// `identity`: OnlineIdentity of the program's own scop, without what the region's assumes of its parameters.
// While a CUDA graph is recorded on a stream that waits for the default stream, the original runs and nothing
// is tried on the device; captures of streams that were made with cudaStreamNonBlocking cannot be seen. The
// entry is tune_region_NAME, and tune_original_NAME, which is to stand behind the original.
CaseEntry MakeOnlineEntry(const std::string& identity, const ParametricRegion& region,
                          const FeedbackMetrics& metrics);

// Its pieces, for another entry whose region libtune tunes; C++. `scop`: whose parameters a call is told.
//   OnlineRegion, on which the region for libtune is based, one for each device, the thread's call that has
//   not ended, and functions that count for rules; behind OnlineCheckText
std::string OnlineRegionText(const v1::Scop& scop, const ParametricRegion& region,
                             const FeedbackMetrics& metrics);
//   Results and Vetted, which compare
std::string OnlineCheckText(const v1::Scop& scop);
//   tune_original_NAME; `result_sizes`: C++ of the sizes at which OnlineCheckText compares
std::string OnlineOriginalText(const v1::Scop& scop, const std::string& result_sizes);
//   statements that add rules that reject the device; `choice`: "PARAMETER, CHOICE" that takes it
std::string DeviceRules(const ParametricRegion& region, const FeedbackMetrics& metrics,
                        const std::string& choice);
//   whether there are formats to pick, and statements that add x, y, z, points, shared and strip, variables
//   of type int, which exist where `parent`, "PARAMETER, CHOICE", is so
bool HasFormats(const ParametricRegion& region);
std::string FormatParameters(const ParametricRegion& region, const FeedbackMetrics& metrics,
                             const std::string& parent);

// FUNCTION_pick of the kernel; `threads`: of a block, in C++ of a Format `format`.
std::string PickFunction(const ParametricKernel& kernel, const std::string& threads);

// INVALID_ARGUMENT when the region's name makes one of libtune's of an entry point.
absl::Status CheckOnlineName(const v1::Scop& scop);

// INVALID_ARGUMENT when the region writes floats or doubles of structures that have members of other types as
// well: as numbers, which they are not, these would hide errors of the others from the check.
absl::Status CheckOnlineArrays(const v1::Scop& scop);

}  // namespace tune
