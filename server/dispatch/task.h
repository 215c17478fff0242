// What is handed out: tasks, and the names of leases on them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace tune {

// In order of precedence within a study.
enum class TaskKind { kReference, kConfirm, kEvaluate, kProbe };

struct TaskId {
  int64_t study = 0;  // number of the study
  TaskKind kind = TaskKind::kReference;
  int64_t index = 0;  // of the candidate, for kEvaluate and kProbe

  auto operator<=>(const TaskId&) const = default;
};

// The parts of a lease's id, which is unique over all runs of the server. Holds letters, digits and '-':
// "s3-17-2-5" is the second lease on candidate 17 of study s3, given out in run 5;
// "s3-reference-1-5", "s3-confirm-1-5", "s3-probe17-1-5".
struct LeaseName {
  TaskId task;
  int64_t attempt = 0;
  int64_t run = 0;
};

std::string LeaseIdOf(const LeaseName& name);
// INVALID_ARGUMENT when the text is not the id of a lease.
absl::StatusOr<LeaseName> ParseLeaseId(const std::string& lease_id);

}  // namespace tune
