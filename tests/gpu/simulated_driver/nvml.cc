// A libnvidia-ml.so.1 for the simulated device beside it. Its counter moves once in a millisecond of the
// device's time.
#include <dlfcn.h>

namespace {

constexpr double kStep = 1e-3;

double last_seconds = 0, last_joules = 0;

double OfDriver(const char* function) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  const auto tell = driver == nullptr ? nullptr : reinterpret_cast<double (*)()>(dlsym(driver, function));
  return tell == nullptr ? 0 : tell();
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }

int nvmlDeviceGetHandleByUUID(const char*, void** device) {
  *device = &last_seconds;
  return 0;
}

int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  *reasons = 0;
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  const double now = OfDriver("simulated_seconds");
  if (now - last_seconds >= kStep) {
    last_seconds = now;
    last_joules = OfDriver("simulated_joules");
  }
  *millijoules = static_cast<unsigned long long>(1e3 * last_joules);
  return 0;
}

}  // extern "C"
