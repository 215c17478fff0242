// A region that CPU and GPU share: its CUDA file, and what takes its place.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct PartWishes {
  std::string architecture;  // as CaseWishes
  // Platforms of 1 to 4 parts with their shares: "cpu:1,gpu:3"; "original". Not of `online`.
  std::string parts;
  bool online = false;           // libtune picks the parts in each call, and whether the original runs
  v1::CaseFormats formats = {};  // that were the fastest somewhere
};

// The region as a case discussion whose kernels run one part each. The CUDA file is that of case_file.h with
// the entry
//   extern "C" int tune_part_NAME(void *const *arrays, const long long *sizes, void **call,
//                                 long long *range);
// to be called again and again, with a null *call at first. 1: the caller is to run the part of the outermost
// loop's values [range[0], range[1]), on range[2] threads or, of 0, as many as there are; meanwhile the
// device runs its parts. 0: all is done. -1: nothing is, and the original is to run. What the device cannot
// do the caller is asked to. INVALID_ARGUMENT: DivideRegion, CheckSlices, MakeParametricRegion, and `parts`
// that are none; other errors as DiscussCases.
absl::StatusOr<v1::CaseDiscussion> DiscussParts(const v1::Scop& scop, const PartWishes& wishes,
                                                std::vector<std::string>* notes);

}  // namespace tune
