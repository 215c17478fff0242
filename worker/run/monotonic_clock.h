// Seconds of a clock that never jumps.
#pragma once

#include <time.h>

namespace tune {

inline double MonotonicSeconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

}  // namespace tune
