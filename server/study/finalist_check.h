// The best few of a study before they are confirmed: whom they come from, and whether their code is what it
// should be.
#pragma once

#include "server/study/active_study.h"
#include "server/study/code_generation.h"

namespace tune {

// One look at the finalists. Those of workers that were set aside are measured again. The code of the others
// is compared with what `generate` makes of their configurations (null: it is not): a worker that sent
// something else is set aside, and its candidate is measured again. What cannot be compared says why, and is
// kept. True: nothing is measured again, the study may confirm them. Errors are the store's.
absl::StatusOr<bool> CheckFinalists(ActiveStudy& study, const CodeGeneration& generate);

}  // namespace tune
