// A region that CPU and GPU share: its CUDA file, and what takes its place.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/scop.pb.h"
#include "worker/cases/case_file.h"
#include "worker/parts/divided_region.h"
#include "worker/parts/part_slices.h"

namespace tune {

// What a program says where the host runs the device's parts; behind the region's name.
extern const char kDevicePartsOnHost[];

struct PartWishes {
  std::string architecture;  // as CaseWishes
  // Platforms of 1 to 4 parts with their shares: "cpu:1,gpu:3"; "original". Not of `online`.
  std::string parts;
  bool online = false;           // libtune picks the parts in each call, and whether the original runs
  v1::CaseFormats formats = {};  // that were the fastest somewhere
  int64_t fewer_threads = 1;     // the CPU's parts run on OpenMP's threads over this; not of `online`
  bool exact = false;            // sums keep their order
};

// The region as a case discussion whose kernels run one part each. The CUDA file is that of case_file.h with
// the entry
//   extern "C" int tune_part_NAME(void *const *arrays, const long long *sizes, void **call,
//                                 long long *range);
// to be called again and again, with a null *call at first. 1: the caller is to run the part of the outermost
// loop's values [range[0], range[1]), on range[2] threads or, of 0, as many as there are, or, of a negative
// one, on as many as there are over -range[2]; meanwhile the device runs its parts. 0: all is done. -1:
// nothing is, and the original is to run. What the device cannot do the caller is asked to. INVALID_ARGUMENT:
// DivideRegion, SlicesOfPart, MakeParametricRegion, and `parts` that are none; other errors as DiscussCases.
absl::StatusOr<v1::CaseDiscussion> DiscussParts(const v1::Scop& scop, const PartWishes& wishes,
                                                std::vector<std::string>* notes);

// The same in two steps, for several files of one region.
class DiscussedParts {
 public:
  // `architecture` and `exact` as PartWishes. Errors as DiscussParts.
  static absl::StatusOr<DiscussedParts> Make(const v1::Scop& scop, const std::string& architecture,
                                             bool exact, std::vector<std::string>* notes);

  // `wishes.architecture` and `wishes.exact` do not count. INVALID_ARGUMENT: `parts` that are none.
  absl::StatusOr<v1::CaseDiscussion> Print(const PartWishes& wishes, std::vector<std::string>* notes) const;

  // Of each kernel, with the number of its axes that blocks and threads share.
  const std::vector<ParametricKernel>& kernels() const { return region_.kernels; }

  // INVALID_ARGUMENT where the code is not made for these values of the region's parameters.
  absl::Status CheckSizes(const std::map<std::string, int64_t>& values) const;

 private:
  v1::Scop scop_;
  DividedRegion divided_;
  ParametricRegion region_;
  std::vector<PartSlice> slices_;
  std::string host_;  // runs a part
  std::vector<DiscussedKernel> kernels_;
  v1::CaseDiscussion discussion_;  // but for code
};

// Whether the parts that are written into such a CUDA file are those of the original alone.
bool RunsOriginal(const std::string& device_file);

}  // namespace tune
