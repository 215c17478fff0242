// How much energy a device has used.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/base/status.h"

namespace tune {

// Counts up from an arbitrary value.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  // Joules. An error status says why the device does not tell any more.
  virtual absl::StatusOr<double> Read() = 0;
  // How long the device must have been at its work before what is read is of that work alone.
  virtual double settle_seconds() const = 0;
};

// By NVML, loaded at run time: the device's own counter, where it has one, which moves about ten times a
// second; else its power, taken to be constant from one reading to the next, which it tells as a mean of up
// to a second. `now`: seconds of a clock that never jumps. NOT_FOUND: why neither is there.
absl::StatusOr<std::unique_ptr<EnergyCounter>> MakeEnergyCounter(const std::string& uuid,
                                                                 std::function<double()> now);

}  // namespace tune
