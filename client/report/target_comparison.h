// One program tuned for two targets, side by side.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {

// A table of both studies with the region's time, in the user's program where it was run there, and what each
// gains over that program; then which of them is among `taken`, the ids of the studies whose code is handed
// out.
std::string CompareTargets(const v1::Study& one, const v1::Study& other,
                           const std::vector<std::string>& taken);

}  // namespace tune
