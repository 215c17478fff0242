// From a region to its case discussion: code in which sizes are arguments, and when which variant is for.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct CaseWishes {
  std::string
      architecture;     // "sm_90": registers are those that nvcc counts for it; empty: they are estimated
  bool online = false;  // libtune picks formats in each call, and whether the original runs (online_file.h)
  v1::CaseFormats formats = {};  // that were the fastest somewhere
};

// For CUDA. Where nvcc is missing or fails, a line of `notes` tells that registers are estimated.
// INVALID_ARGUMENT when the region cannot be so (MakeParametricRegion); RESOURCE_EXHAUSTED and INTERNAL from
// isl and for too many cases.
absl::StatusOr<v1::CaseDiscussion> DiscussCases(const v1::Scop& scop, const CaseWishes& wishes,
                                                std::vector<std::string>* notes);

}  // namespace tune
