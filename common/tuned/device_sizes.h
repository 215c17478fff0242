// CUDA files of one region for several sizes in one program.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "common/tuned/region_size.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// "gemm_n500" of region "gemm" and tag "n500": in the place of the region's name in all that a linker sees.
std::string SizedName(absl::string_view region, const std::string& tag);

// A CUDA file of the region `region` (worker/print/cuda_region.h), or the block that calls it, under the
// name `name` (SizedName): kernels, entry points and the function that takes the region's place. FAILED_
// PRECONDITION: a CUDA file without entry points, of an earlier version, whose names are not known.
absl::StatusOr<std::string> RenameDeviceFile(absl::string_view text, const std::string& region,
                                             const std::string& name);
std::string RenameCall(absl::string_view code, const std::string& region, const std::string& name);

// One size of a region on GPUs.
struct DeviceSize {
  const v1::Scop* scop;  // not owned
  RegionSize size;
};

// Entry points under the region's own name that take those of the right size by the sizes that they are
// given.
struct DeviceDispatch {
  std::string file;    // CUDA C++, without kernels
  std::string header;  // C and C++
};

// `file`: the name of the dispatching CUDA file. Empty texts where sizes cannot be given as integers, or the
// entry points of the sizes take different arguments: then each size has its header alone.
DeviceDispatch PrintDeviceDispatch(const std::vector<DeviceSize>& sizes, const std::string& file);

}  // namespace tune
