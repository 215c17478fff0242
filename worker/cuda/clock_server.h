// Sets a device's clock for the worker, which tells it so line by line.
#pragma once

#include <cstdio>

#include "common/base/status.h"
#include "worker/cuda/graphics_clock.h"

namespace tune {

// Answers lines of `in` on `out`, a line each: "list" with "ok 1980 1965 ...", "set 1200" and "reset" with
// "ok", and each, where it cannot be done, with "refused " and the reason. Returns when the input ends, which
// it also does when whoever wrote it has died; the clock is as it was then.
absl::Status ServeClock(GraphicsClock& clock, std::FILE* in, std::FILE* out);

// The same of the device with the driver's index, on standard input and output. Neither a signal of a
// terminal nor the death of the parent ends the process before the clock is reset. UNAVAILABLE, or a device
// without clocks that can be set: the reason is also the answer to the first line.
absl::Status ServeClockOf(int ordinal);

}  // namespace tune
