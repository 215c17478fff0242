#include "client/cli/interrupt.h"

#include <unistd.h>

namespace tune {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t first_signal = 0;

void Remember(int signal) {
  if (first_signal != 0) _exit(130);
  first_signal = signal;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  first_signal = 0;
  struct sigaction action = {};
  action.sa_handler = Remember;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &action, &before_[i]);
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int InterruptGuard::signal() const { return first_signal; }

}  // namespace tune
