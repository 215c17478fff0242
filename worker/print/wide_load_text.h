// Loops that load what they read, and store what they update, at once, as CUDA C has them.
#pragma once

#include <string>
#include <vector>

#include "worker/print/index_text.h"

namespace tune {

// A loop with Loop::wide, whose iterations run on variables.
struct WideLoop {
  std::vector<std::string> loads;  // of all iterations, into the variables: lines
  Loop loop;
  std::vector<std::string> stores;  // from them
};

// Precondition: the check of Loop::ahead (worker/check/program_ahead_check.h).
WideLoop LoadedAtOnce(const Loop& loop, IndexPrinter* indices);

}  // namespace tune
