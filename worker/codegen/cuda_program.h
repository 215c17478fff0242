// What the generator makes for the `cuda` target.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "worker/codegen/device_array.h"

namespace tune {

struct CudaKernelFacts {
  std::string function;                        // name in the text: "tune_kernel0"
  std::string name;                            // in the decisions' keys: "k[S0,S1]"
  std::array<int64_t, 3> threads = {1, 1, 1};  // of a block, x first
  int64_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks of a launch must be on the device at once: they wait for each other
};

struct CudaProgram {
  // CUDA C: every kernel as extern "C" __global__.
  std::string kernels;
  // C, without any header of CUDA, so that the host's own compiler builds it:
  //   struct tune_launch { int kernel; unsigned grid[3]; unsigned block[3]; void **arguments; };
  //   void tune_plan(void *const *memory, const void *const *host,
  //                  void (*launch)(void *context, const struct tune_launch *launch), void *context);
  // calls `launch` for every launch of one execution of the region, in order; each must see what those before
  // it wrote. `kernel` is an index of `facts`, grid and block are x, y, z, `arguments` has a pointer to the
  // value of each of the kernel's parameters (as cuLaunchKernel takes them) and lives until `launch` returns.
  // memory[i] is the device memory of scop.arrays(i); host[i] points to the value of a scalar that is passed
  // by value (DeviceArray::by_value), other entries are not read.
  std::string plan;
  std::vector<CudaKernelFacts> facts;
  std::vector<DeviceArray> arrays;  // parallel to scop.arrays
};

}  // namespace tune
