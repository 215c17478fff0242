// Processes that stand for tune-analyser.
#pragma once

#include <string>

#include "server/analysis/analyser.h"

namespace tune {

inline AnalyserOptions RealAnalyser() { return {.program = {TUNE_BINARY_DIR "/bin/tune-analyser"}}; }

// One that does this instead.
inline AnalyserOptions ShellAnalyser(const std::string& script) {
  return {.program = {"/bin/sh", "-c", script}};
}

}  // namespace tune
