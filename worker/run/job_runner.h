// The runner's side of a job: loads candidates, checks them, measures them.
#pragma once

#include "common/base/status.h"
#include "tune/v1/runner.pb.h"

namespace tune {

// Does the job in this process, which is confined for good by it (confinement.h); the result is in
// job.result_file. A candidate that fails in an orderly way has its verdict there; one that ends the process
// leaves what job.report_file says. An error status is not the candidate's fault.
absl::Status RunJob(const v1::RunnerJob& job);

}  // namespace tune
