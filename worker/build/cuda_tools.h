// Whom those work with who build candidates for GPUs and run them.
#pragma once

#include "worker/build/build_slots.h"
#include "worker/build/cubin_compiler.h"
#include "worker/run/device_pool.h"

namespace tune {

// Nothing is owned.
struct CudaTools {
  CubinCompiler* cubin = nullptr;
  Compiler* host = nullptr;  // for launch sequences
  DevicePool* devices = nullptr;
  BuildSlots* slots = nullptr;  // null: no limit
};

}  // namespace tune
