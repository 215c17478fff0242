#include "worker/device/host_device.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tune {
namespace {

// Value of the first line that starts with `key`, what stands before its text ("\t: \"") removed.
std::string Lookup(const std::string& path, absl::string_view key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!absl::StartsWith(line, key)) continue;
    absl::string_view value = absl::string_view(line).substr(key.size());
    while (!value.empty() && absl::StrContains(" \t:=\"", value.front())) value.remove_prefix(1);
    while (!value.empty() && absl::StrContains(" \t\"", value.back())) value.remove_suffix(1);
    return std::string(value);
  }
  return "";
}

std::string Machine() {
  utsname names;
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string ProcessorModel() {
  for (const char* key : {"model name", "Model", "Hardware", "cpu model"}) {
    const std::string model = Lookup("/proc/cpuinfo", key);
    if (!model.empty()) return model;
  }
  return Machine();
}

int UsableThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

std::string OperatingSystem() {
  utsname names;
  std::string kernel;
  if (uname(&names) == 0) kernel = absl::StrCat(names.sysname, " ", names.release, " ", names.machine);
  const std::string distribution = Lookup("/etc/os-release", "PRETTY_NAME");
  return distribution.empty() ? kernel : absl::StrCat(distribution, ", ", kernel);
}

}  // namespace

v1::Device DescribeHost(const std::string& compiler_version, int threads) {
  v1::Device device;
  device.set_target(v1::CPU);
  device.set_model(ProcessorModel());
  device.set_cores(threads > 0 ? threads : UsableThreads());
  device.set_memory_bytes(static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE));
  device.set_compiler(compiler_version);
  device.set_operating_system(OperatingSystem());
  return device;
}

std::string HostName() {
  utsname names;
  if (uname(&names) != 0 || names.nodename[0] == '\0') return "localhost";
  const std::string name = names.nodename;
  return name.substr(0, name.find('.'));
}

}  // namespace tune
