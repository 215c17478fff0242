// The GPUs of this host as a worker uses them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/build/build_slots.h"
#include "worker/build/cubin_compiler.h"
#include "worker/evaluate/evaluator_factory.h"
#include "worker/run/device_pool.h"

namespace tune {

struct CudaHostOptions {
  std::string devices = "all";     // or "none", or ordinals of the driver: "0,2"
  std::string compiler = "nvrtc";  // or "nvcc"
  std::string cache_folder;        // of cubins
  int slots = 1;                   // candidates that are made at once, for all devices together
};

class CudaHost {
 public:
  // Looks for devices. An error says in one line why there are none, or what is wrong with the options
  // (INVALID_ARGUMENT).
  static absl::StatusOr<std::unique_ptr<CudaHost>> Open(const CudaHostOptions& options);

  // As the server is told, in the order of their ordinals.
  const std::vector<v1::Device>& devices() const { return devices_; }
  CubinCompiler* compiler() const { return compiler_.get(); }
  BuildSlots* slots() const { return slots_.get(); }
  // Leases at once, see LeasesFor.
  int leases() const { return leases_; }
  // Says of those that are retired (DevicePool) why they are. `devices` may hold others too. Thread safe.
  void MarkRetired(std::vector<v1::Device>* devices) const;
  // One for each model.
  std::vector<CudaDeviceGroup> Groups() const;

 private:
  CudaHost() = default;

  std::vector<v1::Device> devices_;
  std::unique_ptr<CubinCompiler> compiler_;
  std::unique_ptr<BuildSlots> slots_;
  int leases_ = 0;
  std::vector<std::pair<v1::Device, std::unique_ptr<DevicePool>>> pools_;
};

// Leases at once, when so many candidates are made at once: as many again may wait for a device, and no fewer
// than one that runs and one that is next for each device.
int LeasesFor(int slots, int devices);

// Those of `found` that `wish` names ("all", "0,2"). INVALID_ARGUMENT names what is not there.
absl::StatusOr<std::vector<v1::Device>> ChooseDevices(const std::vector<v1::Device>& found,
                                                      const std::string& wish);

}  // namespace tune
