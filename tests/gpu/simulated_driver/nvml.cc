// A libnvidia-ml.so.1 for the simulated device beside it. Its counter moves once in a millisecond of the
// device's time. Its clocks can be set as application clocks; with TUNE_SIMULATED_CLOCKS=locked they can be
// locked alone, with "denied" by nobody, with "none" there are none. simulated_graphics_clock() tells the
// clock.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace {

constexpr double kStep = 1e-3;

double last_seconds = 0, last_joules = 0;

double OfDriver(const char* function) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  const auto tell = driver == nullptr ? nullptr : reinterpret_cast<double (*)()>(dlsym(driver, function));
  return tell == nullptr ? 0 : tell();
}

constexpr unsigned kMemoryClocks[] = {2619, 1593}, kGraphicsClocks[] = {990, 1980, 1500};
constexpr unsigned kSetBefore = 1500;  // by somebody else
constexpr int kInvalid = 2, kNotSupported = 3, kNoPermission = 4, kTooSmall = 7;
unsigned graphics_clock = kSetBefore;

bool ClocksAre(const char* kind) {
  const char* const set = std::getenv("TUNE_SIMULATED_CLOCKS");
  return set != nullptr && std::strcmp(set, kind) == 0;
}

int SetClock(unsigned mhz) {
  if (ClocksAre("denied")) return kNoPermission;
  for (const unsigned clock : kGraphicsClocks) {
    if (clock != mhz) continue;
    graphics_clock = mhz;
    return 0;
  }
  return kInvalid;
}

template <int kCount>
int Tell(const unsigned (&list)[kCount], unsigned* count, unsigned* told) {
  if (ClocksAre("none")) return kNotSupported;
  if (*count < kCount) return kTooSmall;
  *count = kCount;
  std::memcpy(told, list, sizeof(list));
  return 0;
}

}  // namespace

extern "C" {

unsigned simulated_graphics_clock() { return graphics_clock; }

int nvmlDeviceGetSupportedMemoryClocks(void*, unsigned* count, unsigned* mhz) {
  return Tell(kMemoryClocks, count, mhz);
}

int nvmlDeviceGetSupportedGraphicsClocks(void*, unsigned memory, unsigned* count, unsigned* mhz) {
  return memory == kMemoryClocks[0] ? Tell(kGraphicsClocks, count, mhz) : kInvalid;
}

int nvmlDeviceGetApplicationsClock(void*, int kind, unsigned* mhz) {
  *mhz = kind == 2 ? kMemoryClocks[0] : graphics_clock;
  return ClocksAre("locked") ? kNotSupported : 0;
}

int nvmlDeviceSetApplicationsClocks(void*, unsigned memory, unsigned graphics) {
  if (ClocksAre("locked")) return kNotSupported;
  return memory == kMemoryClocks[0] ? SetClock(graphics) : kInvalid;
}

int nvmlDeviceResetApplicationsClocks(void*) {
  graphics_clock = 1980;
  return 0;
}

int nvmlDeviceSetGpuLockedClocks(void*, unsigned least, unsigned most) {
  return least == most ? SetClock(least) : kInvalid;
}

int nvmlDeviceResetGpuLockedClocks(void*) {
  graphics_clock = kSetBefore;
  return 0;
}

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
