// Candidates, for people.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {

// One row a candidate: index, outcome, time, gain over candidate 0, attempts, what it says; where
// some have them, energy and metrics.
// `base` is the default configuration's measurement; may be empty.
std::string CandidateTable(const std::vector<v1::Candidate>& candidates, const v1::Measurement& base);

// Outcome, times, stages, errors of arrays, kernels; `configuration` and `code` ask for those parts.
struct CandidateParts {
  bool configuration = false;
  bool code = false;
};
std::string CandidateDetails(const std::string& study_id, const v1::Candidate& candidate,
                             const CandidateParts& parts);

// "A: relative L2 error 0.3 exceeds its tolerance; first at [0][3]: expected 1.5, found 2"
std::string ArrayErrorLine(const v1::ArrayError& error);

}  // namespace tune
