#include "worker/cuda/graphics_clock.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "worker/cuda/nvml.h"
#include "worker/cuda/shared_library.h"

namespace tune {
namespace {

// NVML's results and kinds of clocks.
constexpr int kNotSupported = 3, kNoPermission = 4;
constexpr int kOfGraphics = 0, kOfMemory = 2;
constexpr unsigned kMostClocks = 1024;

// "1980, 1965, 1950, ... 210 (120 in all)".
std::string ListText(const std::vector<int>& clocks) {
  constexpr size_t kShown = 8;
  if (clocks.size() <= kShown) return absl::StrJoin(clocks, ", ");
  return absl::StrCat(absl::StrJoin(clocks.begin(), clocks.begin() + kShown - 1, ", "), ", ... ",
                      clocks.back(), " (", clocks.size(), " in all)");
}

absl::Status ClockRefused(int result, absl::string_view what) {
  if (result == kNoPermission)
    return absl::PermissionDeniedError(
        absl::StrCat("the driver does not let this user set the device's clocks (", what,
                     " has no permission); run tune-worker as root, or let others set them once, as root: "
                     "`nvidia-smi -acp "
                     "UNRESTRICTED`; or leave out --clocks"));
  if (result == kNotSupported)
    return absl::UnimplementedError(
        absl::StrCat("the device's clocks cannot be set (", what,
                     " is not supported), as of virtual and some small devices; leave "
                     "out --clocks"));
  return absl::UnavailableError(absl::StrCat("NVML: ", what, " failed with result ", result));
}

class NvmlGraphicsClock : public GraphicsClock {
 public:
  static absl::StatusOr<std::unique_ptr<GraphicsClock>> Open(const NvmlDevice& device) {
    std::unique_ptr<NvmlGraphicsClock> clock(new NvmlGraphicsClock(device));
    TUNE_RETURN_IF_ERROR(clock->ReadSupported());
    return clock;
  }
  ~NvmlGraphicsClock() override { Reset().IgnoreError(); }

  const std::vector<int>& supported() const override { return supported_; }

  absl::Status Set(int mhz) override {
    if (std::find(supported_.begin(), supported_.end(), mhz) == supported_.end())
      return absl::InvalidArgumentError(
          absl::StrCat("the device has no graphics clock of ", mhz, " MHz; it has ", ListText(supported_)));
    int result = kNotSupported;
    if (set_application_ != nullptr) result = set_application_(device_.device, memory_, mhz);
    if (result == kNvmlSuccess) {
      undo_ = [this] { return UndoApplication(); };
      return absl::OkStatus();
    }
    const int locked = set_locked_ == nullptr ? kNotSupported : set_locked_(device_.device, mhz, mhz);
    if (locked == kNvmlSuccess) {
      undo_ = [this] { return reset_locked_(device_.device); };
      return absl::OkStatus();
    }
    return result == kNotSupported ? ClockRefused(locked, "nvmlDeviceSetGpuLockedClocks")
                                   : ClockRefused(result, "nvmlDeviceSetApplicationsClocks");
  }

  absl::Status Reset() override {
    if (!undo_) return absl::OkStatus();
    const int result = undo_();
    if (result != kNvmlSuccess) return ClockRefused(result, "to set the clocks back");
    undo_ = nullptr;
    return absl::OkStatus();
  }

 private:
  using SetTwo = int (*)(void* device, unsigned, unsigned);
  using ResetAll = int (*)(void* device);
  using ReadClock = int (*)(void* device, int kind, unsigned* mhz);
  using ReadList = int (*)(void* device, unsigned* count, unsigned* mhz);
  using ReadListBeside = int (*)(void* device, unsigned memory, unsigned* count, unsigned* mhz);

  explicit NvmlGraphicsClock(const NvmlDevice& device) : device_(device) {
    FindSymbol(device.library, "nvmlDeviceSetApplicationsClocks", &set_application_);
    FindSymbol(device.library, "nvmlDeviceResetApplicationsClocks", &reset_application_);
    FindSymbol(device.library, "nvmlDeviceGetApplicationsClock", &read_application_);
    FindSymbol(device.library, "nvmlDeviceSetGpuLockedClocks", &set_locked_);
    FindSymbol(device.library, "nvmlDeviceResetGpuLockedClocks", &reset_locked_);
    if (reset_application_ == nullptr) set_application_ = nullptr;
    if (reset_locked_ == nullptr) set_locked_ = nullptr;
  }

  absl::Status ReadSupported() {
    ReadList memory_clocks = nullptr;
    ReadListBeside graphics_clocks = nullptr;
    if (!FindSymbol(device_.library, "nvmlDeviceGetSupportedMemoryClocks", &memory_clocks) ||
        !FindSymbol(device_.library, "nvmlDeviceGetSupportedGraphicsClocks", &graphics_clocks))
      return absl::UnimplementedError(
          "this NVML does not tell which clocks a device has; leave out --clocks");
    std::vector<unsigned> list(kMostClocks);
    unsigned count = kMostClocks;
    int result = memory_clocks(device_.device, &count, list.data());
    if (result != kNvmlSuccess || count == 0 || count > kMostClocks)
      return ClockRefused(result, "nvmlDeviceGetSupportedMemoryClocks");
    memory_ = *std::max_element(list.begin(), list.begin() + count);
    unsigned graphics = 0, memory = 0;
    if (read_application_ != nullptr &&
        read_application_(device_.device, kOfMemory, &memory) == kNvmlSuccess && memory > 0) {
      memory_ = memory;
      if (read_application_(device_.device, kOfGraphics, &graphics) == kNvmlSuccess) before_ = graphics;
    }
    count = kMostClocks;
    result = graphics_clocks(device_.device, memory_, &count, list.data());
    if (result != kNvmlSuccess || count > kMostClocks)
      return ClockRefused(result, "nvmlDeviceGetSupportedGraphicsClocks");
    supported_.assign(list.begin(), list.begin() + count);
    std::sort(supported_.rbegin(), supported_.rend());
    return absl::OkStatus();
  }

  // As somebody had set them before; where nobody tells what that was, as they are by default.
  int UndoApplication() {
    if (before_ > 0 && set_application_(device_.device, memory_, before_) == kNvmlSuccess)
      return kNvmlSuccess;
    return reset_application_(device_.device);
  }

  const NvmlDevice device_;
  SetTwo set_application_ = nullptr, set_locked_ = nullptr;
  ResetAll reset_application_ = nullptr, reset_locked_ = nullptr;
  ReadClock read_application_ = nullptr;
  std::vector<int> supported_;
  unsigned memory_ = 0, before_ = 0;  // MHz; 0: not known
  std::function<int()> undo_;         // of what is set
};

}  // namespace

absl::StatusOr<std::unique_ptr<GraphicsClock>> OpenGraphicsClock(const std::string& uuid) {
  TUNE_ASSIGN_OR_RETURN(const NvmlDevice device, OpenNvmlDevice(uuid));
  return NvmlGraphicsClock::Open(device);
}

}  // namespace tune
