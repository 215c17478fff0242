// A study's space in another process: isl reads there what others have sent, strategies choose here.
#pragma once

#include "server/analysis/analyser.h"
#include "server/study/study_space.h"

namespace tune {

// Spaces in a process each, which is started again where it has ended. A walk that it does not survive, or
// that takes too long, leads to no candidate: its error is RESOURCE_EXHAUSTED. What the process answers is
// taken as data: INTERNAL where it makes no sense. Errors of the factory are those of the space there.
SpaceFactory RemoteSpaces(const AnalyserOptions& options);

}  // namespace tune
