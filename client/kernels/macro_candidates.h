// Names of a source that macros of a configuration may stand for.
#pragma once

#include "client/kernels/source_scan.h"

namespace tune {

// See SourceScan::macros. A rule of thumb: names that are not declared, called, members or known to C and
// CUDA.
std::vector<MacroCandidate> MacroCandidatesOf(const SourceTokens& tokens);

}  // namespace tune
