// Capture files of libtune: inputs that applications met and of which nothing was known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

struct CapturedInputs {
  int line = 0;        // of the file, from 1
  std::string region;  // OnlineIdentity, or what an application calls a region of its own
  std::vector<int64_t> inputs;
};

struct RefusedLine {
  int line = 0;
  std::string why;  // and what to do
};

// In the order of the file.
struct ApplicationCaptures {
  std::vector<CapturedInputs> captured;
  std::vector<RefusedLine> refused;
};

// NOT_FOUND or UNAVAILABLE where there is no such file, or it cannot be read.
absl::StatusOr<ApplicationCaptures> ReadCaptures(const std::string& path);

}  // namespace tune
