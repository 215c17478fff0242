// A daemon that lives as long as this process at most.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/file_descriptor.h"
#include "common/base/status.h"

namespace tune {

// An exclusive lock on a file (made when absent), held by whoever holds a copy of the descriptor.
class FileLock {
 public:
  // UNAVAILABLE when another process has it.
  static absl::StatusOr<FileLock> Try(const std::string& path);
  int fd() const { return file_.get(); }

 private:
  explicit FileLock(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

// Started from the thread that lives longest: the child is killed when that thread ends.
class BackgroundProcess {
 public:
  struct Options {
    std::vector<std::string> argv;         // argv[0] is a path
    std::string log;                       // file that takes both streams, at its end
    std::vector<std::string> environment;  // "NAME=value", added
    // Descriptors that the child inherits under the same numbers, such as that of a lock, which the child
    // then holds until it dies however it dies.
    std::vector<int> inherited;
  };
  static absl::StatusOr<std::unique_ptr<BackgroundProcess>> Start(const Options& options);
  // Stop(10 s).
  ~BackgroundProcess();

  bool Running();
  // SIGTERM, and SIGKILL when it has not ended after `grace`.
  void Stop(absl::Duration grace);
  // How it ended: "exited with status 1", "was killed by signal 9". Empty while it runs.
  std::string Ending();

 private:
  explicit BackgroundProcess(pid_t pid) : pid_(pid) {}
  bool Reap(bool block);

  const pid_t pid_;
  bool ended_ = false;
  int status_ = 0;  // as of waitpid
};

// The last lines of a log file, at most `lines`; empty when it cannot be read.
std::string LogTail(const std::string& path, int lines);

}  // namespace tune
