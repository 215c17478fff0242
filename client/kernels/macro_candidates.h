// Names of a source that macros of a configuration may stand for.
#pragma once

#include <set>

#include "client/kernels/source_scan.h"

namespace tune {

// See SourceScan::macros; none of `declared`. A rule of thumb: names that are not declared, called, members
// or known to C and CUDA.
std::vector<MacroCandidate> MacroCandidatesOf(const SourceTokens& tokens, std::set<std::string> declared);

}  // namespace tune
