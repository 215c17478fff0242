// Starts another program.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "common/base/file_descriptor.h"
#include "common/base/subprocess.h"

namespace tune {

// A child in a process group of its own, whose number is `pid`. Whoever has it reaps it.
struct LaunchedProcess {
  pid_t pid = -1;
  FileDescriptor input, output, error;  // the parent's ends; output is not open when it goes to a file
};

// Starts argv[0] (looked up in PATH) with the options' folder, environment and limits of cpu, memory and
// files; its time and streams are left to the caller. It is killed when the thread that started it ends.
// NOT_FOUND: no such program; UNAVAILABLE: it could not be run.
absl::StatusOr<LaunchedProcess> LaunchProcess(const std::vector<std::string>& argv,
                                              const SubprocessOptions& options);

bool IsExecutableFile(const std::string& path);

}  // namespace tune
