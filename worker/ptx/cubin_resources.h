// What kernels take, from their binary: as cuFuncGetAttribute tells, without a device.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

struct CubinResources {
  int64_t registers = 0;    // of a thread, of 32 bits
  int64_t stack_bytes = 0;  // of a thread, in local memory: arrays and spilled registers
};

// Of each kernel, and each function that is not inlined, by name. Reads attributes of the section .nv.info
// (EIATTR_REGCOUNT, EIATTR_FRAME_SIZE: NVIDIA documents them by cuobjdump and nvdisasm alone).
// INVALID_ARGUMENT: not a cubin, or a broken one.
absl::StatusOr<std::map<std::string, CubinResources>> ReadCubinResources(absl::string_view cubin);

}  // namespace tune
