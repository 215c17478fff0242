#include "common/device/compute_capability.h"

#include <algorithm>
#include <iterator>

namespace tune {
namespace {

struct ComputeCapability {
  int major, minor;
  int threads, blocks;  // resident on a multiprocessor
  int shared, block;    // KiB of a multiprocessor; of a block of a kernel that opts in
  // Of the device named here: what is not the capability's.
  int multiprocessors;
  int l2;         // KiB; 0: not known
  int bandwidth;  // GB/s
};

// CUDA C++ Programming Guide, appendix "Compute Capabilities", table "Technical Specifications per Compute
// Capability": 6.x and 7.x from the editions up to 12.9, the others from 13.0. Limits that are the same for
// all of them are those of DeviceFacts.
constexpr ComputeCapability kTable[] = {
    {6, 0, 2048, 32, 64, 48, 56, 4 << 10, 732},         // Tesla P100
    {6, 1, 2048, 32, 96, 48, 28, 2816, 484},            // GeForce GTX 1080 Ti
    {6, 2, 2048, 32, 64, 48, 2, 512, 60},               // Jetson TX2
    {7, 0, 2048, 32, 96, 96, 80, 6 << 10, 900},         // Tesla V100
    {7, 2, 2048, 32, 96, 96, 8, 512, 137},              // Jetson AGX Xavier
    {7, 5, 1024, 16, 64, 64, 40, 4 << 10, 320},         // T4
    {8, 0, 2048, 32, 164, 163, 108, 40 << 10, 1555},    // A100
    {8, 6, 1536, 16, 100, 99, 84, 6 << 10, 696},        // A40
    {8, 7, 1536, 16, 164, 163, 16, 4 << 10, 205},       // Jetson AGX Orin
    {8, 9, 1536, 24, 100, 99, 142, 96 << 10, 864},      // L40
    {9, 0, 2048, 32, 228, 227, 132, 60 << 10, 4800},    // H200 (SXM); an H100 has 50 MiB, 3350 GB/s
    {10, 0, 2048, 32, 228, 227, 148, 126 << 10, 8000},  // B200
    {10, 3, 2048, 32, 228, 227, 148, 126 << 10, 8000},  // B300
    {11, 0, 1536, 24, 228, 227, 20, 0, 273},            // Jetson Thor
    {12, 0, 1536, 24, 100, 99, 170, 96 << 10, 1792},    // GeForce RTX 5090
    {12, 1, 1536, 24, 100, 99, 48, 24 << 10, 273},      // GB10
};

// From then on the device takes a KiB of shared memory for itself from each block (the guide's section on
// shared memory of compute capability 8.x).
constexpr int kFirstToReserve = 8;

int64_t Bytes(int kibibytes) { return int64_t{kibibytes} << 10; }

}  // namespace

std::vector<std::pair<int, int>> KnownComputeCapabilities() {
  std::vector<std::pair<int, int>> known;
  for (const ComputeCapability& capability : kTable) known.emplace_back(capability.major, capability.minor);
  return known;
}

DeviceFacts FactsOfComputeCapability(int major, int minor) {
  DeviceFacts facts;
  facts.compute_capability_major = major;
  facts.compute_capability_minor = minor;
  const auto found = std::find_if(std::begin(kTable), std::end(kTable), [&](const ComputeCapability& one) {
    return one.major == major && one.minor == minor;
  });
  if (found == std::end(kTable)) return facts;
  facts.multiprocessors = found->multiprocessors;
  facts.max_threads_per_multiprocessor = found->threads;
  facts.max_blocks_per_multiprocessor = found->blocks;
  facts.shared_bytes_per_block_optin = Bytes(found->block);
  facts.shared_bytes_per_multiprocessor = Bytes(found->shared);
  if (major < kFirstToReserve) facts.reserved_shared_bytes_per_block = 0;
  facts.l2_bytes = Bytes(found->l2);
  facts.memory_bandwidth = 1e9 * found->bandwidth;
  facts.cooperative_launch = true;
  return facts;
}

}  // namespace tune
