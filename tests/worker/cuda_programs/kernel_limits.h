// What generated CUDA asks of a device, read from its text.
#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace tune {

// What one kernel's text says.
struct KernelLimits {
  int64_t threads = 0;       // of a block, __launch_bounds__
  int64_t blocks = 1;        // of a multiprocessor, the same
  int64_t shared_bytes = 0;  // static ones, also those of the functions that it calls
};

// Bytes of the array that a line "__shared__ double A_shared0[32][33];" defines; 0 for other lines, and for
// what the launch gives ("extern").
inline int64_t SharedBytesOfLine(const std::string& line) {
  static const std::regex kDefinition(
      R"(^\s*__shared__ (?:__align__\(\d+\) )?((?:\w+ )+)\w+((?:\[\d+\])*);)");
  std::smatch found;
  if (!std::regex_search(line, found, kDefinition)) return 0;
  const std::string type = found[1];
  const auto has = [&](const char* word) { return type.find(word) != std::string::npos; };
  int64_t bytes = has("double") || has("long") ? 8 : has("short") ? 2 : has("char") ? 1 : 4;
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(found[2].str(), '['))) {
    int64_t extent = 0;
    if (absl::SimpleAtoi(part.substr(0, part.find(']')), &extent)) bytes *= extent;
  }
  return bytes;
}

// Of each kernel of the text, in its order.
inline std::vector<KernelLimits> LimitsOfKernels(const std::string& text) {
  static const std::regex kBounds(R"(__launch_bounds__\((\d+)(?:, (\d+))?\))");
  std::vector<KernelLimits> kernels;
  int64_t before = 0;  // of functions that the next kernel calls
  bool in_kernel = false;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    std::smatch found;
    if (std::regex_search(line, found, kBounds)) {
      KernelLimits kernel;
      kernel.threads = std::stoll(found[1]);
      if (found[2].matched) kernel.blocks = std::stoll(found[2]);
      kernel.shared_bytes = before;
      before = 0;
      kernels.push_back(kernel);
      in_kernel = true;
    }
    (in_kernel ? kernels.back().shared_bytes : before) += SharedBytesOfLine(line);
    if (line == "}") in_kernel = false;
  }
  return kernels;
}

}  // namespace tune
