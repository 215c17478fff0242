// How tuned files are built.
#pragma once

#include <string>
#include <vector>

#include "client/cli/program_options.h"
#include "client/cli/tuned_output.h"

namespace tune {

// "Wrote a.c. Build it with" and the command lines, a line each. Where `sizes` (of --sizes) are macros, the
// last command has that of one size, and a further line says what the others do.
std::string BuildText(const ProgramOptions& program, const std::vector<ProgramSize>& sizes,
                      const TunedOutput& tuned, const std::string& output);

// Of hand-written kernels: "build a.cu with -include a.tuned.h.", and in CUDA the command line for the file
// with the function that launches them, and its declaration.
std::string KernelBuildText(const TunedOutput& tuned, const std::string& output);

}  // namespace tune
