// Results in the format T4 1.1.0 of the autotuning community (JSON), and back as results without code.
#pragma once

#include <string>

#include "client/report/json.h"
#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

inline constexpr char kT4Version[] = "1.1.0";

// The study's search: every evaluated candidate that is not a replay, in order of index; configurations as
// ParametersOf has them. Times are milliseconds; energy, power, their product and the metrics of a candidate
// are further measurements, and the study's objective is that of each result. What T4 has no place for (our
// own outcomes, intervals, provenance, versions) stands below metadata.tuned, where `results` is parallel to
// the format's own. INVALID_ARGUMENT when nothing was evaluated.
absl::StatusOr<Json> WriteT4(const v1::ArchivedStudy& study);

// OK when `json` is what the T4 1.1.0 schema allows. INVALID_ARGUMENT names the first place that it does not,
// as "results[3].invalidity", and what would be accepted.
absl::Status CheckT4(const Json& json);

// A study of results without scop, program and code, ended, its provenance "T4" from `source`. Other tools'
// files are accepted as far as they keep to the schema. INVALID_ARGUMENT as CheckT4; also when there are no
// results.
absl::StatusOr<v1::ArchivedStudy> ReadT4(const Json& json, const std::string& source);

}  // namespace tune
