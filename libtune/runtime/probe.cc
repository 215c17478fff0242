#include "libtune/runtime/probe.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace libtune {
namespace {

constexpr double kMostSeconds = 1e6;

// Faults end the child, silently, whatever the program does about its own.
void PrepareChild(double seconds) {
  for (const int number :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGALRM, SIGTERM, SIGINT}) {
    signal(number, SIG_DFL);
  }
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  const double whole = std::floor(seconds);
  itimerval limit = {};
  limit.it_value.tv_sec = static_cast<time_t>(whole);
  limit.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6) + 1;
  setitimer(ITIMER_REAL, &limit, nullptr);
}

}  // namespace

bool SurvivesInChild(double seconds, const std::function<bool()>& call) {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    PrepareChild(std::min(seconds, kMostSeconds));
    bool survived = false;
    try {
      survived = call();
    } catch (...) {
      survived = false;
    }
    _exit(survived ? 0 : 1);
  }
  int state = 1;
  while (waitpid(child, &state, 0) < 0) {
    // Another part of the program waits for all children: what became of this one is not known.
    if (errno != EINTR) return false;
  }
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

}  // namespace libtune
