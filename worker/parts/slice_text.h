// How a CUDA file brings back the slices that parts write.
#pragma once

#include <string>
#include <vector>

#include "worker/cases/parametric_kernel.h"
#include "worker/parts/part_slices.h"

namespace tune {

// C++ for the host's part of the file, behind the boxes of case_file_text.h: kSlices, a part's slices of
//   Slice WrittenSlice(int number, const long long *sizes)
// and CopyBack, which copies the elements of one and nothing else.
std::string SliceText(const ParametricRegion& region, const std::vector<PartSlice>& slices);

}  // namespace tune
