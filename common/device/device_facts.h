// What a CUDA device has, from which limits and defaults of the `cuda` space follow.
#pragma once

#include <cstdint>

namespace tune {

// Compute capability, before the point, from which on there are matrix instructions for numbers of TF32 (PTX
// ISA, "mma").
inline constexpr int kTf32ComputeCapability = 8;

// As the device's driver reports it (tune/v1/device.proto, of the same names). The values here are limits
// that every device since compute capability 3.0 has, and 0 where there is no such limit: those of an unknown
// device.
struct DeviceFacts {
  int compute_capability_major = 0;  // 0: unknown
  int compute_capability_minor = 0;
  int multiprocessors = 1;
  int max_threads_per_block = 1024;
  int max_threads_per_multiprocessor = 1024;        // that it holds at once
  int max_blocks_per_multiprocessor = 16;           // that it holds at once, however small
  int64_t registers_per_multiprocessor = 64 << 10;  // of 32 bits
  // Shared memory: of a block; of a block of a kernel that asks for more; of all blocks on a multiprocessor
  // together; what the device takes of that for itself for each of them.
  int64_t shared_bytes_per_block = 48 << 10;
  int64_t shared_bytes_per_block_optin = 48 << 10;
  int64_t shared_bytes_per_multiprocessor = 48 << 10;
  int64_t reserved_shared_bytes_per_block = 1 << 10;
  int64_t l2_bytes = 0;         // 0: unknown
  double memory_bandwidth = 0;  // bytes a second, by clock and width; 0: unknown
  // Blocks that are all there at once may be asked for, so that they can wait for each other.
  bool cooperative_launch = false;

  // All threads that the device holds at once.
  double Threads() const { return static_cast<double>(multiprocessors) * max_threads_per_multiprocessor; }
  // Whether a kernel can ask for more shared memory than any kernel has.
  bool HasOptIn() const { return shared_bytes_per_block_optin > shared_bytes_per_block; }
  // atomicAdd on double (CUDA C++ Programming Guide, "Atomic Functions").
  bool HasAtomicAddOfDoubles() const { return compute_capability_major >= 6; }
  // Whether shared memory and L1 cache are parts of one memory, so that a kernel can say how it is divided
  // (the guide's sections on compute capabilities 5.x to 7.x).
  bool DividesMemory() const { return compute_capability_major >= 7; }
  // Copies from memory to shared memory that go on while the thread does other things (PTX ISA, "cp.async").
  bool CopiesAsynchronously() const { return compute_capability_major >= 8; }
  bool MultipliesTf32() const { return compute_capability_major >= kTf32ComputeCapability; }
  // Matrix instructions for numbers of binary16 whose products are added in float, and loads of their
  // operands (PTX ISA, "mma" and "ldmatrix").
  bool MultipliesHalves() const {
    return compute_capability_major > 7 || (compute_capability_major == 7 && compute_capability_minor >= 5);
  }
  bool operator==(const DeviceFacts&) const = default;
};

}  // namespace tune
