// The part of the recorder that is the same for every program.
#pragma once

namespace tune {

// C89 with POSIX. Expects TUNE_REFERENCE_FOLDER (a string literal) and TUNE_REFERENCE_MEMORY (bytes) to be
// defined before, and tune_reference_accessed to follow.
extern const char kRecorderText[];

}  // namespace tune
