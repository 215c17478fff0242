// What a worker, or an archive, tells of compiled kernels, as common/carving takes it.
#pragma once

#include <string>

#include "common/base/status.h"
#include "common/carving/static_metrics.h"
#include "tune/v1/inspection.pb.h"

namespace tune {

// "inspection 17".
std::string InspectionName(int64_t index);

// INVALID_ARGUMENT names the number that is negative, infinite or none, the text that is no plain line, or
// says that there is too much or neither kernels nor a reason why not.
absl::Status CheckInspection(const v1::Inspection& inspection);

// Of one that CheckInspection takes.
StaticMetrics MetricsOf(const v1::Inspection& inspection);

}  // namespace tune
