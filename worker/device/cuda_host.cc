#include "worker/device/cuda_host.h"

#include <algorithm>
#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/subprocess.h"
#include "worker/run/cuda_runner.h"

namespace tune {
namespace {

std::string OrdinalsOf(const std::vector<v1::Device>& devices) {
  return absl::StrJoin(devices, ", ", [](std::string* out, const v1::Device& device) {
    absl::StrAppend(out, device.cuda().ordinal());
  });
}

}  // namespace

absl::StatusOr<std::vector<v1::Device>> ChooseDevices(const std::vector<v1::Device>& found,
                                                      const std::string& wish) {
  if (wish == "all") return found;
  std::set<int> wanted;
  for (absl::string_view word : absl::StrSplit(wish, ',')) {
    int ordinal = 0;
    if (!absl::SimpleAtoi(word, &ordinal) || ordinal < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--devices ", wish, ": give `all`, `none`, or numbers like 0,1; there are ", OrdinalsOf(found)));
    }
    wanted.insert(ordinal);
  }
  std::vector<v1::Device> chosen;
  for (const v1::Device& device : found) {
    if (wanted.erase(device.cuda().ordinal()) > 0) chosen.push_back(device);
  }
  if (wanted.empty()) return chosen;
  return absl::InvalidArgumentError(absl::StrCat("--devices ", wish, ": there is no device ", *wanted.begin(),
                                                 "; there are ", OrdinalsOf(found)));
}

absl::StatusOr<std::unique_ptr<CudaHost>> CudaHost::Open(const CudaHostOptions& options) {
  if (options.devices == "none") return absl::NotFoundError("--devices none: this worker serves no GPU");
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Device> found, FindCudaDevices());
  std::unique_ptr<CudaHost> host(new CudaHost);
  TUNE_ASSIGN_OR_RETURN(host->devices_, ChooseDevices(found, options.devices));
  const std::string nvrtc = host->devices_.front().compiler();
  if (options.compiler == "nvcc" || nvrtc.empty()) {
    TUNE_ASSIGN_OR_RETURN(host->compiler_, CubinCompiler::MakeNvcc(options.cache_folder));
  } else {
    TUNE_ASSIGN_OR_RETURN(host->compiler_, CubinCompiler::MakeNvrtc(nvrtc, options.cache_folder));
  }
  TUNE_ASSIGN_OR_RETURN(const std::string program, FindSiblingProgram("tune-cuda-runner"));
  host->slots_ = std::make_unique<BuildSlots>(options.slots);
  const int count = static_cast<int>(host->devices_.size());
  host->leases_ = LeasesFor(options.slots, count);
  for (v1::Device& device : host->devices_) {
    device.set_compiler(host->compiler_->version());
    device.set_slots((host->leases_ + count - 1) / count);
  }
  std::map<std::string, std::vector<DevicePool::Member>> members;  // by model
  for (const v1::Device& device : host->devices_) {
    const int ordinal = device.cuda().ordinal();
    members[device.model()].push_back(
        {absl::StrCat("cuda:", ordinal), ordinal, std::make_unique<ProcessCudaRunner>(program, ordinal)});
  }
  for (const v1::Device& device : host->devices_) {
    const auto own = members.find(device.model());
    if (own == members.end()) continue;
    host->pools_.emplace_back(device, std::make_unique<DevicePool>(std::move(own->second)));
    members.erase(own);
  }
  return host;
}

int LeasesFor(int slots, int devices) { return slots + std::max(slots, 2 * devices); }

void CudaHost::MarkRetired(std::vector<v1::Device>* devices) const {
  std::map<int, std::string> retired;
  for (const auto& [device, pool] : pools_) retired.merge(pool->Retired());
  for (v1::Device& device : *devices) {
    const auto why = retired.find(device.cuda().ordinal());
    if (device.target() == v1::CUDA && why != retired.end()) device.set_quarantine(why->second);
  }
}

std::vector<CudaDeviceGroup> CudaHost::Groups() const {
  std::vector<CudaDeviceGroup> groups;
  for (const auto& [device, pool] : pools_) groups.push_back({device, pool.get()});
  return groups;
}

}  // namespace tune
