#include "worker/device/device_peaks.h"

#include <fcntl.h>
#include <google/protobuf/text_format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>

#include "common/base/file.h"
#include "common/base/file_descriptor.h"
#include "common/base/fingerprint.h"
#include "common/base/subprocess.h"
#include "worker/build/host_peaks.h"

namespace tune {
namespace {

using google::protobuf::TextFormat;

constexpr absl::Duration kDeviceLimit = absl::Seconds(60);

std::string KeyOf(const v1::Device& device) {
  return Fingerprint(absl::StrCat("1\n", device.target(), "\n", device.model(), "\n", device.cores(), "\n",
                                  device.compiler(), "\n", device.cuda().uuid(), "\n",
                                  device.cuda().driver_version()));
}

bool ReadPeaks(const std::string& path, v1::Device* device) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  v1::PeakRates peaks;
  if (!text.ok() || !TextFormat::ParseFromString(*text, &peaks)) return false;
  *device->mutable_peaks() = peaks;
  return true;
}

absl::StatusOr<v1::PeakRates> MeasureGpu(int ordinal) {
  TUNE_ASSIGN_OR_RETURN(const std::string program, FindSiblingProgram("tune-cuda-runner"));
  SubprocessOptions options;
  options.wall_limit = kDeviceLimit;
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult run,
                        RunSubprocess({program, "--peaks", absl::StrCat(ordinal)}, options));
  v1::PeakRates peaks;
  if (run.ok() && TextFormat::ParseFromString(run.standard_output, &peaks)) return peaks;
  return absl::InternalError(absl::StrCat("tune-cuda-runner ", run.Describe(), ": ", run.standard_error));
}

}  // namespace

void FindPeaks(const std::string& folder, const std::function<absl::StatusOr<v1::PeakRates>()>& measure,
               v1::Device* device) {
  const std::string path = absl::StrCat(folder, "/", KeyOf(*device), ".txt");
  if (ReadPeaks(path, device)) return;
  if (!MakeFolder(folder).ok()) return;
  const FileDescriptor lock(open((folder + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  if (lock.open()) flock(lock.get(), LOCK_EX);
  if (ReadPeaks(path, device)) return;
  const absl::StatusOr<v1::PeakRates> peaks = measure();
  if (!peaks.ok()) {
    spdlog::warn("{}: its peak rates could not be measured, results show no bound: {}", device->model(),
                 std::string(peaks.status().message()));
    return;
  }
  *device->mutable_peaks() = *peaks;
  std::string text;
  TextFormat::PrintToString(*peaks, &text);
  if (const absl::Status written = WriteFile(path, text); !written.ok())
    spdlog::warn("peak rates will be measured again: {}", std::string(written.message()));
}

absl::StatusOr<v1::PeakRates> MeasurePeaks(const v1::Device& device, Compiler* compiler) {
  if (device.target() == v1::CUDA) return MeasureGpu(device.cuda().ordinal());
  return MeasureHostPeaks(compiler, device.cores());
}

}  // namespace tune
