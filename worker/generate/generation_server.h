// The code of a study's configurations for a server that compares it with what workers send.
#pragma once

#include "common/base/status.h"
#include "tune/v1/generation.pb.h"

namespace tune {

// What a worker makes of these configurations, by the builtin generator, and the case discussion where it is
// asked for: the same text on every machine, since it follows from the request alone. Errors are in the
// answer.
v1::GenerationAnswer GenerateCodes(const v1::GenerationRequest& request);

// Answers the requests of the descriptor `input` on `output` until its end. INVALID_ARGUMENT and UNAVAILABLE
// as ReadFrame and WriteFrame.
absl::Status ServeGeneration(int input, int output);

}  // namespace tune
