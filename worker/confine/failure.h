// How tune-sandbox ends when it cannot do its part.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace tune {

// The exit status of a sandbox that could not be made. A program's own 126 is told as 127.
inline constexpr int kSandboxFailed = 126;

// Says what failed and why, in one line, and ends this process.
[[noreturn]] inline void FailSandbox(const std::string& what, int error = errno) {
  std::fprintf(stderr, "tune-sandbox: %s: %s\n", what.c_str(), std::strerror(error));
  std::fflush(stderr);
  _exit(kSandboxFailed);
}

}  // namespace tune
