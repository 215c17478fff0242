#include "client/report/device_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/evaluation/architecture.h"

namespace tune {
namespace {

// 13000 is CUDA 13.0.
std::string DriverText(int version) {
  return absl::StrCat("CUDA ", version / 1000, ".", version % 1000 / 10);
}

// "ppcg-0.09" of a version that also tells of the libraries.
std::string PpcgText(const std::string& version) {
  const std::string line = OneLine(version);
  return line.substr(0, line.find(','));
}

std::string CudaLine(const v1::Device& device) {
  std::vector<std::string> parts = {device.model()};
  if (const std::string architecture = ArchitectureOf(device); !architecture.empty()) {
    parts.push_back(architecture);
  }
  parts.push_back(CoresText(device));
  if (device.memory_bytes() > 0) parts.push_back(FormatBytes(device.memory_bytes()));
  if (device.cuda().driver_version() > 0) {
    parts.push_back("driver for " + DriverText(device.cuda().driver_version()));
  }
  if (!device.ppcg().empty()) parts.push_back(PpcgText(device.ppcg()));
  return absl::StrCat("cuda:", device.cuda().ordinal(), ": ", absl::StrJoin(parts, ", "));
}

}  // namespace

std::string DeviceLine(const v1::Device& device) {
  if (device.target() == v1::CUDA) return CudaLine(device);
  return absl::StrCat(TargetWord(device.target()), ": ", device.model(), ", ", CoresText(device));
}

std::string CoresText(const v1::Device& device) {
  return FormatCount(device.cores(), device.target() == v1::CUDA ? "multiprocessor" : "core");
}

}  // namespace tune
