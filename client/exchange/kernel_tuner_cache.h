// Kernel Tuner's cache files as results without code, and studies as such files.
#pragma once

#include <string>

#include "client/report/json.h"
#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// Has the members of a cache, whatever they hold.
bool IsKernelTunerCache(const Json& json);

// A study of results alone, ended, from `source`: a candidate for each entry, its parameters in the order of
// `tune_params_keys`, its samples `times`, which are milliseconds, or `time` alone, its other numbers energy,
// power and metrics (AddQuantity); its objective is `objective`, the first of several. An entry whose `time`
// is a word failed (OutcomeOfKernelTuner). INVALID_ARGUMENT names the first place that is no cache, and what
// is expected there.
absl::StatusOr<v1::ArchivedStudy> ReadKernelTunerCache(const Json& json, const std::string& source);

// A file that names us in `tuned`, and that Kernel Tuner goes on from and simulates with: all evaluated
// candidates of the search but those that were lost with their worker, with their energy and power as
// `nvml_energy` and `nvml_power`, and their metrics. INVALID_ARGUMENT when nothing was
// evaluated, or when candidates have different decisions, as those of C regions mostly do.
absl::StatusOr<Json> WriteKernelTunerCache(const v1::ArchivedStudy& study);

}  // namespace tune
