// The energy of one of many equal pieces of work.
#pragma once

#include <functional>

#include "worker/cuda/energy_counter.h"

namespace tune {

struct EnergyWindow {
  double joules = 0;  // of one piece
  // The work ended before its energy was known: `work` said so.
  bool ended = false;
};

// Does the work again and again, for about a second and a half at least. Counters move in steps that take
// longer than most kernels, so that what is between two steps is divided by the pieces of work done
// meanwhile. The counter is read rarely, since the device idles then. `work`: false when no more is to be
// done; an error ends all. `now`: seconds of a clock that never jumps. UNAVAILABLE: the counter does not move
// while the device works; other errors are those of the work and of the counter.
absl::StatusOr<EnergyWindow> MeasureEnergy(EnergyCounter& counter, const std::function<double()>& now,
                                           const std::function<absl::StatusOr<bool>()>& work);

}  // namespace tune
