// Does the work of one lease.
#pragma once

#include "common/base/status.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/evaluate/evaluator.h"

namespace tune {

// Thread safe.
class TaskExecutor {
 public:
  virtual ~TaskExecutor() = default;
  // Failures of the program and of candidates are results. NOT_FOUND: the study is gone; UNAVAILABLE: the
  // server did not tell what the study is; CANCELLED: control's cancellation ended it. The lease is then
  // dropped.
  virtual absl::StatusOr<v1::LeaseResult> Execute(const v1::Lease& lease, const TaskControl& control) = 0;
  // The server was away, and may be another one now: what was kept of studies is asked again. Thread safe.
  virtual void ForgetStudies() {}
};

}  // namespace tune
