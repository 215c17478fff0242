// Runs programs that are not trusted: compilers, users' programs, candidates.
#pragma once

#include <string>
#include <vector>

#include "common/base/sandbox_support.h"
#include "common/base/subprocess.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/sandbox_settings.h"

namespace tune {

// As RunSubprocess, in a sandbox by `settings` where the machine permits it (SandboxSupport), else with
// limits, a list of system calls and a clean environment alone. options.folder must be in one of the
// settings's folders, or be empty; options.environment is added to CleanEnvironment. No process of the
// sandbox is left when this returns. After UseControlGroups it has a control group of its own, also without
// namespaces. Also an error when the sandbox could not be made.
absl::StatusOr<SubprocessResult> RunSandboxed(const std::vector<std::string>& argv,
                                              const SandboxSettings& settings,
                                              const SubprocessOptions& options);

// From now on, for the rest of this process: RunSandboxed's runs have groups below this one. Null: none
// again.
void UseControlGroups(std::unique_ptr<DelegatedGroup> delegated);

// The same as RunSandboxed for those who start the process themselves, and without a control group: the
// command to be started, and with which options.
struct SandboxedCommand {
  std::vector<std::string> argv;
  SubprocessOptions options;
};
absl::StatusOr<SandboxedCommand> MakeSandboxed(const std::vector<std::string>& argv,
                                               const SandboxSettings& settings,
                                               const SubprocessOptions& options);

// The folders, or the file, that a program outside of the system's folders needs to be run: what is installed
// with it where it lies in a folder `bin` that is no user's home, else itself. Empty for one of the system.
std::vector<std::string> InstallationOf(const std::string& program);

// The folders of LD_LIBRARY_PATH, CUDA_HOME and CUDA_PATH and the installation of nvcc, where they are there
// and are none of the system's.
std::vector<std::string> LibraryFolders();

// More that every sandbox may read: compilers and libraries in unusual places. Of this process, for its rest;
// call before the first run.
void AddReadableFolders(const std::vector<std::string>& folders);

}  // namespace tune
