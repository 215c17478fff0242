// The case discussion of a study's region.
#pragma once

#include "server/study/active_study.h"
#include "server/study/code_generation.h"

namespace tune {

// Where the study asks for cases and has none yet, has them made by `generate` (null: a warning tells that
// they cannot be made). Takes as long as `generate` does; a failure is a warning. Errors are the store's;
// CANCELLED when the study has ended.
absl::Status MakeCases(ActiveStudy& study, const CodeGeneration& generate);

}  // namespace tune
