#include "worker/generate/compute_capability.h"

#include "absl/strings/str_join.h"

namespace tune {
namespace {

struct ComputeCapability {
  int major, minor;
  int threads;          // resident on a multiprocessor
  int shared, block;    // KiB of a multiprocessor; of a block of a kernel that opts in
  int multiprocessors;  // of the device named here: the one fact that is not the capability's
};

// CUDA C++ Programming Guide, appendix "Compute Capabilities", table "Technical Specifications per Compute
// Capability": 6.x and 7.x from the editions up to 12.9, the others from 13.0. Limits that are the same for
// all of them stand below.
constexpr ComputeCapability kTable[] = {
    {6, 0, 2048, 64, 48, 56},      // Tesla P100
    {6, 1, 2048, 96, 48, 28},      // GeForce GTX 1080 Ti
    {6, 2, 2048, 64, 48, 2},       // Jetson TX2
    {7, 0, 2048, 96, 96, 80},      // Tesla V100
    {7, 2, 2048, 96, 96, 8},       // Jetson AGX Xavier
    {7, 5, 1024, 64, 64, 40},      // T4
    {8, 0, 2048, 164, 163, 108},   // A100
    {8, 6, 1536, 100, 99, 84},     // A40
    {8, 7, 1536, 164, 163, 16},    // Jetson AGX Orin
    {8, 9, 1536, 100, 99, 142},    // L40
    {9, 0, 2048, 228, 227, 132},   // H100, H200 (SXM)
    {10, 0, 2048, 228, 227, 148},  // B200
    {10, 3, 2048, 228, 227, 148},  // B300
    {11, 0, 1536, 228, 227, 20},   // Jetson Thor
    {12, 0, 1536, 100, 99, 170},   // GeForce RTX 5090
    {12, 1, 1536, 100, 99, 48},    // GB10
};
constexpr int kThreadsOfBlock = 1024;
constexpr int kRegisters = 64 << 10;      // of a multiprocessor, 32 bits each
constexpr int kSharedOfBlock = 48 << 10;  // without opting in

std::string NameOf(const ComputeCapability& capability) {
  return absl::StrCat("sm_", capability.major, capability.minor);
}

}  // namespace

std::vector<std::string> KnownArchitectures() {
  std::vector<std::string> names;
  for (const ComputeCapability& capability : kTable) names.push_back(NameOf(capability));
  return names;
}

absl::StatusOr<v1::Device> DeviceOfArchitecture(const std::string& architecture, int multiprocessors) {
  for (const ComputeCapability& capability : kTable) {
    if (NameOf(capability) != architecture) continue;
    v1::Device device;
    device.set_target(v1::CUDA);
    device.set_model(architecture);
    device.set_cores(multiprocessors > 0 ? multiprocessors : capability.multiprocessors);
    v1::CudaDevice& cuda = *device.mutable_cuda();
    cuda.set_compute_capability_major(capability.major);
    cuda.set_compute_capability_minor(capability.minor);
    cuda.set_max_threads_per_block(kThreadsOfBlock);
    cuda.set_max_threads_per_multiprocessor(capability.threads);
    cuda.set_registers_per_multiprocessor(kRegisters);
    cuda.set_shared_bytes_per_block(kSharedOfBlock);
    cuda.set_shared_bytes_per_block_optin(int64_t{capability.block} << 10);
    cuda.set_shared_bytes_per_multiprocessor(int64_t{capability.shared} << 10);
    cuda.set_cooperative_launch(true);
    return device;
  }
  return absl::InvalidArgumentError(absl::StrCat("--arch ", architecture, ": not known; give one of ",
                                                 absl::StrJoin(KnownArchitectures(), ", ")));
}

}  // namespace tune
