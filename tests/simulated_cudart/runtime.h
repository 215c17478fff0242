// CUDA's runtime over the simulator of kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune::simulated {

// Compiles and loads a generated CUDA file (worker/codegen/cuda_region.h): its kernels for the simulator, the
// rest for this process, where what it defines can then be found. `include`: folder of cuda_runtime.h. Before
// the first call of the runtime.
absl::Status LoadDeviceFile(const std::string& path, const std::string& include);

// The same of kernels alone, `text`, for who has the rest. `object`: what WriteKernels wrote of this text.
absl::Status LoadKernels(const std::string& text, absl::string_view object);

// Compiles kernels to a file, for LoadKernels in other processes; an empty file where the text has none.
absl::Status WriteKernels(const std::string& text, const std::string& path);

// What programs asked for.
struct Counts {
  int64_t allocations = 0, frees = 0, copies_in = 0, bytes_in = 0, copies_out = 0, bytes_out = 0,
          launches = 0;
  int64_t graph_launches = 0, recordings = 0, synchronisations = 0;
  std::vector<int64_t> device_launches;  // of each device
};
const Counts& GetCounts();

// Calls that may fail do from the n-th on, n from 1; 0: none. -1: there is no device.
void FailFrom(int64_t call);

// What a kernel does that a GPU does not survive makes all later calls fail, as a GPU would; else it ends the
// program.
void SurviveFaults();

// Threads, registers and bytes of shared memory of a block, and multiprocessors, separated by commas; of
// several devices with '/' between; false where the text is something else. One device, an H200, where it is
// never called. What is of one device is of no use to another: a copy or a kernel that uses memory or streams
// of a device that is not the current one ends the program.
bool SetMachines(const std::string& numbers);

// At most so many threads of a block, as of kernels with many registers; 1024 where it is never called.
void SetKernelThreads(int threads);

}  // namespace tune::simulated
