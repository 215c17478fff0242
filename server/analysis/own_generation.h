// The server's own generation of code, by tune-generate.
#pragma once

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "server/analysis/analyser.h"
#include "server/study/code_generation.h"

namespace tune {

struct OwnGenerationOptions {
  std::vector<std::string> program;                // tune-generate with arguments; see GenerationProgram
  int64_t memory_bytes = kAnalyserMemory;          // of the process; 0: no limit
  absl::Duration answer_limit = absl::Minutes(3);  // of all codes of one request
};

// tune-generate beside this program, told to serve. NOT_FOUND says that it is not installed.
absl::StatusOr<std::vector<std::string>> GenerationProgram();

// Each request is answered by a process of its own, which may die. UNAVAILABLE: it cannot be started;
// RESOURCE_EXHAUSTED: it ended or took too long; INTERNAL: it answered something else.
CodeGeneration OwnGeneration(const OwnGenerationOptions& options);

}  // namespace tune
