// What the strategies of a case discussion have made of a kernel.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace tune {

// Numbers of the strategies.
enum CaseStrategyNumber {
  kNoCoarsening = 0,        // a thread runs one point
  kSharedAddresses,         // references of a statement share the computation of their addresses
  kSharedAddressesInBlock,  // those of statements beside each other, too
  kBoundedRegisters,        // the compiler is told to take no more than kRegisterBound
  kNoCaching,               // nothing goes through shared memory
};

// Registers of a thread where the compiler must leave room for 1024 threads in a block: devices of compute
// capability 6.0 and above have 65,536 for a block.
inline constexpr int kRegisterBound = 64;
inline constexpr int kBoundedThreads = 1024;

struct KernelVariant {
  bool coarsened = true;     // a thread runs `s` points along x
  bool cached = true;        // through shared memory; else one thread of a point does all that sums need
  int shared_addresses = 0;  // 1: within a statement; 2: among neighbours
  bool bounded = false;
  bool operator==(const KernelVariant&) const = default;

  // "", "_c", "_cs": part of a kernel's name that tells it from the other variants.
  std::string Suffix() const;
};

// All that strategies may make of a kernel. `caches`: whether it uses shared memory; `coarsens`: whether its
// threads may have several points.
std::vector<KernelVariant> AllVariants(bool caches, bool coarsens);

// `caches`, `coarsens`: the same.
KernelVariant VariantOf(const std::set<int>& applied, bool caches, bool coarsens);

}  // namespace tune
