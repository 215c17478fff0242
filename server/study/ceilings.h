// The most that a study may ask for, whoever asks: one table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Of a study.
inline constexpr int32_t kMostEvaluations = 100'000;

struct Ceiling {
  std::string field;  // of the spec: "limits.reference_seconds"
  double most;
  std::string unit;  // "s", "bytes", "" for a number of things
  std::function<double(const v1::StudySpec&)> asked;
};

const std::vector<Ceiling>& Ceilings();

// INVALID_ARGUMENT with the field, what it asks for, and the most that it may. A zero, which means a default,
// may.
absl::Status CheckCeilings(const v1::StudySpec& spec);

// Names stand in lists, logs and file names. INVALID_ARGUMENT when one is too long or holds characters that
// are not shown.
absl::Status CheckNames(const v1::StudySpec& spec);

}  // namespace tune
