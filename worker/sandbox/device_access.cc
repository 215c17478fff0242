#include "worker/sandbox/device_access.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "worker/sandbox/sandbox.h"

namespace tune {

void AllowDevices(SandboxSettings* settings) {
  // nvidia0, nvidiactl, nvidia-uvm, the folder nvidia-caps and their like; dxg is WSL's.
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename().string();
    if (absl::StartsWith(name, "nvidia") || name == "dxg") settings->devices.push_back(entry.path().string());
  }
  std::sort(settings->devices.begin(), settings->devices.end());
  for (std::string& folder : LibraryFolders()) settings->readable.push_back(std::move(folder));
  settings->system_state = true;
  settings->calls = SandboxSettings::kDevice;
}

}  // namespace tune
