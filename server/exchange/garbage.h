// What is given up of old studies.
#pragma once

#include <functional>
#include <string>

#include "common/base/status.h"
#include "server/store/store.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// Carries out the policy that exchange_service.proto describes. `is_active` tells of studies that are worked
// on, which stay as they are; `remove` removes a study unless it has become active, and says whether it did.
// INVALID_ARGUMENT when a number is negative. What was given up before an error stays given up.
absl::StatusOr<v1::CollectGarbageResponse> CollectGarbage(
    Store& store, const v1::CollectGarbageRequest& policy, absl::Time now,
    const std::function<bool(const std::string&)>& is_active,
    const std::function<absl::StatusOr<bool>(const std::string&)>& remove);

}  // namespace tune
