// Whether what is not trusted can be kept apart on this machine.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// Path of tune-sandbox: as FindSiblingProgram, and beside this program where TUNE_LIBEXEC lacks it.
// NOT_FOUND.
absl::StatusOr<std::string> FindSandboxProgram();

// Whether this machine lets this user make sandboxes; asked once. FAILED_PRECONDITION says in one line what
// is missing, NOT_FOUND that there is no tune-sandbox. With TUNE_SANDBOX_NAMESPACES=off in the environment,
// as if the kernel permitted no namespaces. Without them what runs in a "sandbox" has limits, a list of
// system calls and a clean environment, but sees the user's files and processes.
absl::Status SandboxSupport();

// What to do where it does not, in one line.
inline constexpr char kSandboxRemedy[] =
    "permit user namespaces: sysctl user.max_user_namespaces above 0, Debian's "
    "kernel.unprivileged_userns_clone=1, "
    "Ubuntu's kernel.apparmor_restrict_unprivileged_userns=0; for a container --security-opt "
    "seccomp=unconfined "
    "--security-opt systempaths=unconfined (docker, podman)";

}  // namespace tune
