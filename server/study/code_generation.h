// What this server makes itself of configurations that workers have sent code for.
#pragma once

#include <functional>

#include "common/base/status.h"
#include "tune/v1/generation.pb.h"

namespace tune {

// May take minutes; called on a study's own thread, without a lock. One code for each configuration, or an
// error: why nothing can be compared.
using CodeGeneration =
    std::function<absl::StatusOr<v1::GenerationAnswer>(const v1::GenerationRequest& request)>;

}  // namespace tune
