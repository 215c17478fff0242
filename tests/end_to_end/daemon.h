// A program in the background, for tests that start, watch and kill the real daemons.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "common/base/status.h"

namespace tune {

// Starts on construction, killed and reaped by the destructor. Output goes to `log`.
class Daemon {
 public:
  // argv[0] is a path. The child dies with this process.
  static absl::StatusOr<Daemon> Start(const std::vector<std::string>& argv, const std::string& log);
  ~Daemon();
  Daemon(Daemon&& other) noexcept;
  Daemon& operator=(Daemon&& other) noexcept;

  pid_t pid() const { return pid_; }
  // Sends the signal; does not wait.
  void Signal(int signal) const;
  // SIGKILL and reap.
  void Kill();
  // Waits for the end; exit code, or 128 + signal.
  int Wait();
  bool running();

 private:
  explicit Daemon(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;  // -1: reaped
};

// build/bin/NAME.
std::string Program(const std::string& name);

// True when something accepts connections on the unix socket.
bool Accepts(const std::string& socket);

// Calls `done` every 20 ms until it returns true; false after `seconds` (a bound, not a wait), however long
// the calls take.
template <typename Done>
bool WaitUntil(Done&& done, int seconds);
void PauseBriefly();  // 20 ms

template <typename Done>
bool WaitUntil(Done&& done, int seconds) {
  const absl::Time end = absl::Now() + absl::Seconds(seconds);
  while (!done()) {
    if (absl::Now() >= end) return false;
    PauseBriefly();
  }
  return true;
}

}  // namespace tune
