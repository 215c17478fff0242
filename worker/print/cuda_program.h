// What the generator makes for the `cuda` target.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/program/device_array.h"

namespace tune {

struct CudaKernelFacts {
  std::string function;                        // name in the text: "tune_kernel0"
  std::string name;                            // in the decisions' keys: "k[S0,S1]"
  std::array<int64_t, 3> threads = {1, 1, 1};  // of a block, x first
  int64_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks of a launch must be on the device at once: they wait for each other
  int carveout = -1;         // DeviceKernel::carveout
};

struct CudaProgram {
  // CUDA C: every kernel as extern "C" __global__.
  std::string kernels;
  // C that defines tune_launch_sequence (worker/print/launch_sequence.h): a launch's kernel is an index of
  // `facts`; host is parallel to `arrays`, host[i] is read where DeviceArray::by_value; memory has an entry
  // for each of `arrays`, then another one for each, the texture object where DeviceArray::texture.
  std::string launches;
  std::vector<CudaKernelFacts> facts;
  std::vector<DeviceArray> arrays;        // parallel to scop.arrays
  std::vector<ArrayTransfer> transfers;   // parallel to arrays
  std::vector<int64_t> alignments;        // parallel to arrays, or empty: bytes that an address must be a
                                          // multiple of
  std::map<std::string, int64_t> values;  // of the scop's parameters, for which the program is right
  bool graph = false;                     // the launches are recorded and handed to the device in one call
};

}  // namespace tune
