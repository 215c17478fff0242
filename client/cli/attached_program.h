// A program of the user's that runs with tunectl's own streams.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/status.h"

namespace tune {

struct AttachedProgram {
  std::vector<std::string> words;        // program first, looked up in PATH
  std::vector<std::string> environment;  // "NAME=value", added
  std::string standard_input;            // file; empty: tunectl's own
  bool output_to_errors = false;         // its standard output is tunectl's standard error
};

// Runs it to its end, and calls `meanwhile` every `period` until then; returns its exit status, 128 + N where
// signal N ended it. Ctrl-C reaches the program too, whose end is waited for. NOT_FOUND: it cannot be
// started.
absl::StatusOr<int> RunAttached(const AttachedProgram& program, absl::Duration period,
                                const std::function<void()>& meanwhile);

}  // namespace tune
