// Source -> binary, or the reason why not.
#pragma once

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "tune/v1/program.pb.h"
#include "tune/v1/study.pb.h"
#include "worker/run/cancellation.h"

namespace tune {

struct CompileLimits {
  absl::Duration wall = absl::Seconds(60);
  Cancellation* cancellation = nullptr;  // may be null
};

// A study's own, with what may end the compiler; `cancellation` may be null.
inline CompileLimits CompileLimitsOf(const v1::Limits& limits, Cancellation* cancellation) {
  return {absl::Seconds(limits.compile_seconds()), cancellation};
}

// What a compiler made of a source. Failure is a result: most of a search's candidates may fail.
struct CompileResult {
  bool ok = false;
  bool timed_out = false;
  bool cancelled = false;
  bool cached = false;  // made earlier from the same source, flags and compiler
  std::string binary;   // path; set when ok; stays valid while the cache keeps it
  std::string names;    // path of what CachedCompilation::names_file asks for, likewise
  std::string message;  // one line when not ok: the first error
  std::string log;      // what the compiler said
  std::string command;  // as run, paths shortened to file names
};

class Compiler {
 public:
  virtual ~Compiler() = default;

  // A shared object of one generated translation unit, with OpenMP, for tune-runner. Errors are the
  // worker's (cache folder not writable), not the source's; INVALID_ARGUMENT: the program's flags are refused
  // (flag_check.h). Thread safe.
  virtual absl::StatusOr<CompileResult> CompileCandidate(const std::string& source,
                                                         const v1::Program& program,
                                                         const CompileLimits& limits) = 0;

  // Whole program: `sources` (relative to `folder`, where all files of the bundle lie) to folder/output, with
  // the user's flags. Not cached. Errors as above.
  virtual absl::StatusOr<CompileResult> CompileProgram(const std::string& folder,
                                                       const std::vector<std::string>& sources,
                                                       const v1::Program& program, const std::string& output,
                                                       const std::vector<std::string>& extra_link_flags,
                                                       const CompileLimits& limits) = 0;

  // First line of `cc --version`.
  virtual const std::string& version() const = 0;

  // Everything besides source text that a candidate's binary depends on: compiler, flags, processor.
  virtual std::string CandidateKey(const v1::Program& program) const = 0;
};

}  // namespace tune
