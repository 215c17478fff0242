// Reads the host's side of PPCG's output.
#pragma once

#include <set>
#include <string>

#include "worker/ppcg/ppcg_output.h"

namespace tune {

struct PpcgHost {
  PpcgHostNode root;
  std::vector<std::string> directives;
};

// As ParsePpcgOutput, for the host's file.
absl::StatusOr<PpcgHost> ParsePpcgHost(absl::string_view host, const std::set<std::string>& locals);

}  // namespace tune
