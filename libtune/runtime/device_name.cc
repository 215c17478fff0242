#include "libtune/runtime/device_name.h"

#include <sched.h>

#include <fstream>

namespace libtune {
namespace {

std::string ProcessorModel() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "processor";
}

}  // namespace

std::string HostDeviceName() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int cores = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  return "cpu " + ProcessorModel() + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

}  // namespace libtune
