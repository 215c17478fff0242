// What code of strangers tries, as C, and the host that it tries it on.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/base/file_descriptor.h"

namespace tune {

// Things of this machine that nothing in a sandbox may reach: files like a worker's, sockets that listen,
// this process.
class Host {
 public:
  Host();
  ~Host();

  // C functions: `attempt_all()` tries everything, prints "reached: WHAT" to standard error for each success,
  // and returns how many there were; with `attempts_read_state` set the kernel's settings may be read.
  // `leave_daemon()` leaves a process in a session of its own, which ignores signals and holds no stream, or
  // does nothing where processes are refused.
  std::string Attempts() const;

  // A file that says "secret".
  std::string token() const { return folder_.path() + "/token"; }

  // How many processes of this machine are daemons that leave_daemon left. Waits for their end, a second at
  // most.
  int DaemonsLeft() const;
  void EndDaemons() const;
  // Whether all is as it was made.
  bool Untouched() const;

 private:
  std::vector<pid_t> Daemons() const;

  TemporaryFolder folder_;
  FileDescriptor internet_, named_, abstract_;
  int port_ = 0;
  std::string daemon_;  // the name that it gives itself
};

// As on a machine whose kernel permits no namespaces, as long as this lives.
class NoNamespaces {
 public:
  NoNamespaces();
  ~NoNamespaces();

 private:
  std::optional<std::string> before_;
};

// For the begin of a test that needs namespaces.
#define SKIP_WITHOUT_SANDBOX() \
  if (const absl::Status support = SandboxSupport(); !support.ok()) GTEST_SKIP() << support.message()

// The lines "reached: ..." of a log.
std::vector<std::string> Reached(const std::string& log);

}  // namespace tune
