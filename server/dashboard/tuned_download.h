// The tuned file of a study, as `tunectl fetch` writes it.
#pragma once

#include <string>

#include "server/study/coordinator.h"

namespace tune {

struct TunedDownload {
  std::string c_name, c_text;            // "gemm.tuned.c"; of hand-written kernels "gemm.tuned.h"
  std::string device_name, device_text;  // "gemm.tuned.cu"; empty on cpu
  std::string header_name, header_text;  // of its entry points, "gemm.tuned.h"; empty where it has none
};

// With the best candidate's code. FAILED_PRECONDITION while nothing is correct.
absl::StatusOr<TunedDownload> MakeTunedDownload(const Coordinator& coordinator, const std::string& study_id);

// The evaluation that holds the candidate's texts: its own, or that of the candidate with the same code.
absl::StatusOr<v1::Evaluation> EvaluationWithCode(const Coordinator& coordinator, const std::string& study_id,
                                                  int64_t index);

}  // namespace tune
