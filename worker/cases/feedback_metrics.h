// What rules say of a region before it runs, counted from the polyhedral model.
#pragma once

#include <string>

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// C statements that bring a double, HelperNames::value of the scop, from 0 to the number that is counted, in
// terms of the scop's parameters, integers of type long long; empty where that is no piecewise polynomial.
// Section 3.2.2 of Pfaffe, Grosser, Tillmann: Efficient Hierarchical Online-Autotuning (ICS 2019).
struct FeedbackMetrics {
  std::string compute;  // instances of statements
  std::string memory;   // elements that an access reaches, summed over all accesses
  // At most so many reads of one element of an array in an iteration of a statement's outermost loop.
  // Iterations of two such loops with the same value count as one.
  std::string reuse;
};

// For parameters in the scop's context. Errors are those of ParseScop and of isl, whose limits end long
// counts: RESOURCE_EXHAUSTED.
absl::StatusOr<FeedbackMetrics> CountFeedbackMetrics(const v1::Scop& scop,
                                                     const IslContext::Limits& limits = {10'000'000,
                                                                                         absl::Seconds(20)});

}  // namespace tune
