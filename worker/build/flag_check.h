// What users may tell the compiler.
#pragma once

#include "common/base/status.h"
#include "tune/v1/program.pb.h"

namespace tune {

// INVALID_ARGUMENT names the first of the program's flags for compiler and linker that is none of those that
// only change what is made of the program: -O -g -std= -f -m -W -w -D -U -I -l -L, a few words and settings
// of the linker, and files. What runs commands, loads plugins, or reads and writes files of its own choice is
// refused also in a sandbox, so that a program is accepted by all workers or by none.
absl::Status CheckFlags(const v1::Program& program);

}  // namespace tune
