// The clock of a device's multiprocessors, by NVML.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

// Sets the clock as application clocks (nvmlDeviceSetApplicationsClocks) or, where the driver has these no
// more, by locking it (nvmlDeviceSetGpuLockedClocks). The memory's clock stays as it is. Its end resets what
// it has set.
class GraphicsClock {
 public:
  virtual ~GraphicsClock() = default;

  // MHz, falling: those that the device has beside its memory's clock.
  virtual const std::vector<int>& supported() const = 0;
  // INVALID_ARGUMENT: it is not supported; PERMISSION_DENIED, UNIMPLEMENTED: the driver does not let, and
  // what to do.
  virtual absl::Status Set(int mhz) = 0;
  // As the device was before the first Set.
  virtual absl::Status Reset() = 0;
};

// Of the device with this identity ("GPU-..."). NOT_FOUND, UNIMPLEMENTED: why there is none.
absl::StatusOr<std::unique_ptr<GraphicsClock>> OpenGraphicsClock(const std::string& uuid);

}  // namespace tune
