// Ctrl-C that ends in order.
#pragma once

#include <csignal>

namespace tune {

// While one exists, the first SIGINT, SIGTERM or SIGHUP is remembered and the next ends the process at once
// with status 130 (children of BackgroundProcess die with it). At most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const { return signal() != 0; }
  // The first signal that came, or 0.
  int signal() const;

 private:
  struct sigaction before_[3];
};

}  // namespace tune
