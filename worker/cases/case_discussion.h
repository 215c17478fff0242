// From a region to its case discussion: code in which sizes are arguments, and when which variant is for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/device/device_facts.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/scop.pb.h"
#include "worker/cases/case_file.h"
#include "worker/cases/feedback_metrics.h"

namespace tune {

struct CaseWishes {
  std::string
      architecture;     // "sm_90": registers are those that nvcc counts for it; empty: they are estimated
  bool online = false;  // libtune picks formats in each call, and whether the original runs (online_file.h)
  v1::CaseFormats formats = {};  // that were the fastest somewhere
  bool exact = false;            // sums keep their order
  // For which kernels are also mapped as for given sizes, and run where there are blocks enough; not with
  // `online`, which picks formats.
  std::optional<DeviceFacts> device = {};
};

// The cases of the region's kernels, parallel to them, which with the region's name and first extents are
// filled in too. Where nvcc is missing or fails, a line of `notes` tells that registers are estimated.
// INVALID_ARGUMENT when names of sizes cannot be those of kernels; RESOURCE_EXHAUSTED and INTERNAL from isl
// and for too many cases.
absl::StatusOr<std::vector<DiscussedKernel>> DiscussKernels(const ParametricRegion& region,
                                                            const std::string& architecture,
                                                            std::vector<std::string>* notes,
                                                            v1::CaseDiscussion* discussion);

// What rules count; nothing where counting fails, which a line of `notes` then tells: rules only save time.
FeedbackMetrics MetricsOf(const v1::Scop& scop, std::vector<std::string>* notes);

// For CUDA. `notes` as DiscussKernels.
// INVALID_ARGUMENT when the region cannot be so (MakeParametricRegion); RESOURCE_EXHAUSTED and INTERNAL from
// isl and for too many cases.
absl::StatusOr<v1::CaseDiscussion> DiscussCases(const v1::Scop& scop, const CaseWishes& wishes,
                                                std::vector<std::string>* notes);

}  // namespace tune
