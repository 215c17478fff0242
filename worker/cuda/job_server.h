// tune-cuda-runner --serve: jobs on standard input, results on standard output.
#pragma once

#include "common/base/status.h"

namespace tune {

// Answers every CudaJob frame with a CudaResult until the input ends, or until a result says that the device
// is lost. Standard output is turned into standard error first, so that nothing but results is written there.
// A device that cannot be opened is the failure of the first job. An error status says why no further message
// could be exchanged.
absl::Status ServeJobs(int ordinal);

}  // namespace tune
