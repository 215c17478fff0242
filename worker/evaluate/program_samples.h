// Samples of candidates in the user's own program.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/reference/tuned_program.h"

namespace tune {

// Builds each program, runs and checks it, and then runs those that are right in turns, a sample a run, under
// the limits; one alone that is far slower than the best one so far is not run again. The first run is no
// sample: it records arrays. Parallel to the programs; `log`: what they said. One of which any
// run has its failure_mark is RUNTIME.
std::vector<v1::RunnerVerdict> SamplePrograms(const v1::StudySetup& setup, const ReferenceTools& tools,
                                              const ReferenceData& reference,
                                              const std::vector<TunedProgram>& programs,
                                              const RunLimits& limits, std::string* log);

}  // namespace tune
