#include "worker/cuda/energy_counter.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/cuda/nvml.h"
#include "worker/cuda/shared_library.h"

namespace tune {
namespace {

constexpr double kMilli = 1e-3;

using ReadMillijoules = int (*)(void* device, unsigned long long* millijoules);
using ReadMilliwatts = int (*)(void* device, unsigned* milliwatts);

absl::Status Refused(absl::string_view what, int result) {
  return absl::NotFoundError(absl::StrCat("NVML does not tell the device's ", what, " (its result is ",
                                          result, "); virtual and some small devices have none"));
}

class DeviceCounter : public EnergyCounter {
 public:
  DeviceCounter(const NvmlDevice& device, ReadMillijoules read) : device_(device), read_(read) {}

  absl::StatusOr<double> Read() override {
    unsigned long long millijoules = 0;
    const int result = read_(device_.device, &millijoules);
    if (result != kNvmlSuccess) return Refused("energy", result);
    return kMilli * static_cast<double>(millijoules);
  }
  double settle_seconds() const override { return 0; }

 private:
  const NvmlDevice device_;
  const ReadMillijoules read_;
};

class IntegratedPower : public EnergyCounter {
 public:
  IntegratedPower(const NvmlDevice& device, ReadMilliwatts read, std::function<double()> now)
      : device_(device), read_(read), now_(std::move(now)), last_(now_()) {}

  absl::StatusOr<double> Read() override {
    unsigned milliwatts = 0;
    const int result = read_(device_.device, &milliwatts);
    if (result != kNvmlSuccess) return Refused("power", result);
    const double now = now_();
    joules_ += kMilli * milliwatts * (now - std::exchange(last_, now));
    return joules_;
  }
  double settle_seconds() const override { return 1; }

 private:
  const NvmlDevice device_;
  const ReadMilliwatts read_;
  const std::function<double()> now_;
  double last_;
  double joules_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<EnergyCounter>> MakeEnergyCounter(const std::string& uuid,
                                                                 std::function<double()> now) {
  TUNE_ASSIGN_OR_RETURN(const NvmlDevice device, OpenNvmlDevice(uuid));
  ReadMillijoules read_energy = nullptr;
  if (FindSymbol(device.library, "nvmlDeviceGetTotalEnergyConsumption", &read_energy)) {
    auto counter = std::make_unique<DeviceCounter>(device, read_energy);
    if (counter->Read().ok()) return counter;
  }
  ReadMilliwatts read_power = nullptr;
  if (!FindSymbol(device.library, "nvmlDeviceGetPowerUsage", &read_power))
    return absl::NotFoundError("NVML has no function that tells a device's power");
  auto power = std::make_unique<IntegratedPower>(device, read_power, std::move(now));
  TUNE_RETURN_IF_ERROR(power->Read().status());
  return power;
}

}  // namespace tune
