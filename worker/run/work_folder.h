// A folder for this process's temporary files that does not outlive it for long.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// Makes parent/work.HOST.PID and returns its path. Such folders of processes of this host that are gone
// (killed, so that nobody cleaned up) are removed first.
absl::StatusOr<std::string> MakeWorkFolder(const std::string& parent);

}  // namespace tune
