#include "worker/sandbox/device_access.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "worker/sandbox/sandbox.h"

namespace tune {

void AllowDevices(SandboxPlan* plan) {
  // nvidia0, nvidiactl, nvidia-uvm, the folder nvidia-caps and their like; dxg is WSL's.
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename().string();
    if (absl::StartsWith(name, "nvidia") || name == "dxg") plan->devices.push_back(entry.path().string());
  }
  std::sort(plan->devices.begin(), plan->devices.end());
  for (std::string& folder : LibraryFolders()) plan->readable.push_back(std::move(folder));
  plan->system_state = true;
  plan->calls = SandboxPlan::kDevice;
}

}  // namespace tune
