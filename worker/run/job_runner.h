// The runner's side of a job: the order in which candidates are checked and measured.
#pragma once

#include "common/base/status.h"
#include "tune/v1/runner.pb.h"

namespace tune {

// Does the job. This process is the judge: it runs no code of a candidate, whose processes cannot look into
// it, and it alone says what is correct and how long it took. An error status is not the candidates' fault.
absl::StatusOr<v1::RunnerResult> RunJob(const v1::RunnerJob& job);

}  // namespace tune
