// Programs before and after a pass, as text (program_text.h).
#pragma once

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/program/program_reader.h"
#include "common/program/program_text.h"

namespace tune::testing {

// "kernel f of k" and what it has below.
inline DeviceKernel KernelOf(const std::string& text) {
  return ReadDeviceProgram(absl::StrCat("device program\n", text)).value().kernels.at(0);
}

inline std::string TextOf(const DeviceKernel& kernel) {
  DeviceProgram program;
  program.kernels = {kernel};
  return std::string(absl::StripPrefix(PrintProgramText(program), "device program\n"));
}

}  // namespace tune::testing
