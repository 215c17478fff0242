// The clock that calls are timed with.
#pragma once

#include <chrono>
#include <cstdint>

namespace libtune {

inline int64_t Nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace libtune
