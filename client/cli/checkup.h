// What `tunectl doctor` looks at, one function each.
#pragma once

#include <string>
#include <vector>

#include "client/cli/session.h"

namespace tune {

struct Check {
  enum Level { kOk, kWarning, kFailure };
  std::string name;
  Level level;
  std::string text;    // what was found
  std::string remedy;  // what to do; empty when ok
};

// The server that the session's options name. Unreachable is a failure when one was named, else a warning:
// `tune` needs none. With a server, also its workers.
std::vector<Check> CheckServer(Session& session);

Check CheckCompiler();
// Compiles and runs a parallel loop.
Check CheckOpenMp();
// Whether tune-extract starts.
Check CheckFrontEnd();
// tune-generate beside this program.
Check CheckGenerator();
// tuned-server, tune-analyser, tune-worker, tune-runner and tune-sandbox.
std::vector<Check> CheckDaemons();
// Whether this machine permits sandboxes.
Check CheckSandbox();
// One operation of isl.
Check CheckIsl();
// nvcc, driver, device and ppcg. Never a failure: the cpu target needs none of them.
std::vector<Check> CheckCuda();

// "ok    C compiler  gcc 12.2.0", the remedy on a line of its own.
std::string PrintCheck(const Check& check);

}  // namespace tune
