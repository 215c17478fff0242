// What is handed out: tasks, and the names of leases on them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace tune {

// In order of precedence within a study.
enum class TaskKind { kReference, kConfirm, kEvaluate, kInspect, kProbe };

struct TaskId {
  int64_t study = 0;  // number of the study
  TaskKind kind = TaskKind::kReference;
  int64_t index = 0;  // of the candidate, for kEvaluate and kProbe; of the inspection, for kInspect

  auto operator<=>(const TaskId&) const = default;
};

// The parts of a lease's id, which is unique over all runs of the server. Holds letters, digits and '-':
// "s3-17-2-5-SEAL" is the second lease on candidate 17 of study s3, given out in run 5;
// "s3-reference-1-5-SEAL", "s3-confirm-1-5-SEAL", "s3-probe17-1-5-SEAL", "s3-inspect4-1-5-SEAL".
struct LeaseName {
  TaskId task;
  int64_t attempt = 0;
  int64_t run = 0;
};

// Whom a lease is given to.
struct LeaseHolder {
  std::string worker;
  std::string session;
};

// Makes ids of leases and knows its own again: the last part, 32 hexadecimal digits, follows from the others,
// the holder and a secret, so that nobody can name a lease that the holder was not given. Immutable, thread
// safe.
class LeaseSeal {
 public:
  explicit LeaseSeal(const std::string& key) : key_(key) {}

  std::string IdOf(const LeaseName& name, const LeaseHolder& holder) const;
  // PERMISSION_DENIED when the text is not the id of a lease that was given to `holder`.
  absl::StatusOr<LeaseName> Parse(const std::string& lease_id, const LeaseHolder& holder) const;

 private:
  const std::string key_;
};

}  // namespace tune
