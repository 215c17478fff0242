// The scop's arrays as kernels see them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/scop/scop.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

struct DeviceArray {
  int index = 0;          // in Scop::arrays, and in the launch plan's memory
  std::string scop_name;  // the user's
  std::string name;       // in CUDA text: the user's, unless C++ or CUDA has another use for it
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  std::vector<int64_t> extents;  // empty: a scalar
  bool by_value = false;         // a scalar that the scop never writes
  bool local = false;            // declared inside the region: nothing comes in, nothing goes out
  bool written = false;          // somewhere in the scop
  bool texture = false;          // some kernel reads it through a texture object
};

// Bytes of device memory; 0 for what is passed by value.
int64_t DeviceBytes(const DeviceArray& array);

// One an array of the scop, in its order. Extents are the reference's; of local arrays one more than the
// largest index used. INVALID_ARGUMENT when the reference lacks one; errors of IslContext::Run.
absl::StatusOr<std::vector<DeviceArray>> DeviceArrays(IslContext& context, const ParsedScop& scop,
                                                      const v1::Reference& reference);

// Whether a texture object can stand for the array: elements of 4 or 8 bytes, and no more than 2^27 of them
// (CUDA C++ Programming Guide, table of technical specifications).
bool FitsTexture(const DeviceArray& array);

// "const double (*__restrict__ A)[100]", "double *__restrict__ x", "double alpha": how a kernel declares it.
// `writes`: the kernel writes it. `restricted`: with `__restrict__`; each array has memory of its own, so it
// holds, but it lets the compiler read through caches that see no other thread's writes.
std::string DeviceParameter(const DeviceArray& array, bool writes, bool restricted);

}  // namespace tune
