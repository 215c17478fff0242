// print_filters: writes the programs of all lists of system calls as C++, for system_calls.cc.
#include <linux/filter.h>

#include <cstdio>
#include <cstring>

#include "worker/confine/filter_rules.h"

namespace tune {
namespace {

bool PrintFilter(const char* name, SystemCalls calls, bool alone) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) return false;
  if (const int error = WriteFilter(calls, alone, fileno(file)); error != 0) {
    std::fprintf(stderr, "print_filters: %s: %s\n", name, std::strerror(error));
    return false;
  }
  std::rewind(file);
  std::printf("const sock_filter %s[] = {\n", name);
  sock_filter step;
  while (std::fread(&step, sizeof step, 1, file) == 1) {
    std::printf("{%u, %u, %u, %uu},\n", step.code, step.jt, step.jf, step.k);
  }
  std::puts("};");
  std::fclose(file);
  return true;
}

}  // namespace
}  // namespace tune

int main() {
  using tune::SystemCalls;
  const bool done = tune::PrintFilter("kProgramAlone", SystemCalls::kProgram, true) &&
                    tune::PrintFilter("kProgramInGroup", SystemCalls::kProgram, false) &&
                    tune::PrintFilter("kDeviceAlone", SystemCalls::kDevice, true) &&
                    tune::PrintFilter("kDeviceInGroup", SystemCalls::kDevice, false) &&
                    tune::PrintFilter("kCandidate", SystemCalls::kCandidate, true);
  return done ? 0 : 1;
}
