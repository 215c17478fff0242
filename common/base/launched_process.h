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

// Starts argv[0] (found as FindInPath does) with the options' folder, environment and limits of cpu, memory
// and files; its time and streams are left to the caller. It is killed when the thread that started it ends.
// NOT_FOUND: no such program; UNAVAILABLE: it could not be run.
absl::StatusOr<LaunchedProcess> LaunchProcess(const std::vector<std::string>& argv,
                                              const SubprocessOptions& options);

bool IsExecutableFile(const std::string& path);

// Absolute path of the file that a shell would run for `name`, in PATH or, with a slash in it, from this
// process's folder. NOT_FOUND: no such program.
absl::StatusOr<std::string> FindInPath(const std::string& name);

}  // namespace tune
