// Writing to pipes without dying of it.
#pragma once

#include <pthread.h>

#include <csignal>
#include <ctime>

namespace tune {

// While it lives, a write of this thread to a pipe whose reader is gone fails with EPIPE instead of ending
// the process. The signal is sent to the writing thread, so blocking and collecting it here leaves other
// threads alone.
class PipeSignalBlocked {
 public:
  PipeSignalBlocked() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~PipeSignalBlocked() {
    const timespec zero = {0, 0};
    if (!was_pending_) {
      while (sigtimedwait(&set_, nullptr, &zero) == SIGPIPE) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

 private:
  sigset_t set_, before_;
  bool was_pending_;
};

}  // namespace tune
