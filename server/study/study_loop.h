// What the server does with one study, from its reference run to its result.
#pragma once

#include <memory>

#include "server/search/strategy.h"
#include "server/study/active_study.h"
#include "server/study/code_generation.h"
#include "server/study/study_space.h"

namespace tune {

// Runs on a thread of its own, which does the study's isl work; returns when the study has ended and no
// replay is left, or when it is told to stop. `study` has its reference run. May start again at any point
// of a study's life: after a restart of the server, or for a replay on a finished study. `generate`: see
// CheckFinalists.
void RunStudyLoop(ActiveStudy& study, const SpaceFactory& make_space, const CodeGeneration& generate);

}  // namespace tune
