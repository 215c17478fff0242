// What a run of the user's program would tell, for one that is not run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/extraction.pb.h"

namespace tune {

// INVALID_ARGUMENT, with the options to give, when a parameter of these scops has no value, and its scop's
// context allows more than one; when a value is
// of no parameter and in no array's extents; when values contradict what a scop requires.
absl::Status CheckValues(const std::vector<const v1::Scop*>& scops,
                         const std::map<std::string, int64_t>& values);

// Parameters at these values, or the only ones that the context allows, and arrays as large as the C text
// declares them, where that can be evaluated, else as the region uses them; `notes` gets a line for each
// dimension inside an array that had to be guessed so. Errors of ParseScop.
absl::StatusOr<v1::Reference> AssumeReference(const v1::Scop& scop,
                                              const std::map<std::string, int64_t>& values,
                                              std::vector<std::string>* notes);

}  // namespace tune
