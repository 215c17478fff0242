// A runner of a GPU that keeps what it is asked for.
#pragma once

#include <vector>

#include "worker/run/cuda_runner.h"

namespace tune::testing {

// Its answers have an empty verdict for each candidate. `requests` is not owned.
class RecordingRunner : public CudaRunner {
 public:
  explicit RecordingRunner(std::vector<CudaRunRequest>* requests) : requests_(requests) {}
  absl::StatusOr<RunOutcome> Run(const CudaRunRequest& request) override {
    requests_->push_back(request);
    RunOutcome outcome;
    outcome.verdicts.resize(request.job.candidates_size());
    return outcome;
  }

 private:
  std::vector<CudaRunRequest>* const requests_;
};

}  // namespace tune::testing
