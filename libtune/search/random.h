// Random numbers that follow from a seed alone, the same with every compiler and library.
#pragma once

#include <cstdint>

namespace libtune {

// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    return Mixed(state_);
  }
  // In [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  // Below `count`, which is positive.
  uint64_t Below(uint64_t count) { return Next() % count; }

  static uint64_t Mixed(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace libtune
