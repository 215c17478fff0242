// The reference of a program with main: its own run.
#pragma once

#include <string>

#include "worker/reference/reference_data.h"

namespace tune {

// Runs the instrumented program once; fills data->folder (made, with empty in/ and out/) and every field of
// the reference but the fingerprints of the arrays. Errors as RunReference.
absl::Status RunInstrumentedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                                    ReferenceData* data, std::string* log);

}  // namespace tune
