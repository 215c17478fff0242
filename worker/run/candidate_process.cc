#include "worker/run/candidate_process.h"

#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "absl/strings/string_view.h"
#include "worker/run/monotonic_clock.h"

namespace tune {
namespace {

// The end of a child interrupts a wait, unless it comes just before.
constexpr double kLookAfterSeconds = 0.02;

void InterruptWaitsByEnds() {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, nullptr);
}

double SecondsOf(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CandidateProcess>> CandidateProcess::Start(
    const CandidateHostSettings& settings, RunArrays* arrays, double deadline) {
  InterruptWaitsByEnds();
  TUNE_ASSIGN_OR_RETURN(SharedPage page, SharedPage::Make());
  page->turn = Turn::kCandidate;
  std::unique_ptr<CandidateProcess> process(new CandidateProcess(std::move(page)));
  CandidateHostSettings with_judge = settings;
  with_judge.judge = getpid();
  process->pid_ = fork();
  if (process->pid_ < 0) {
    return absl::ResourceExhaustedError(absl::StrCat("a process for a candidate: ", std::strerror(errno)));
  }
  if (process->pid_ == 0) ServeCandidate(with_judge, arrays, process->page_);
  clock_getcpuclockid(process->pid_, &process->processor_clock_);
  if (process->AwaitTurn(deadline) == Answer::kDone) return process;
  const std::string trouble = process->trouble();
  return absl::InternalError(absl::StrCat("a process for a candidate could not be prepared: ",
                                          trouble.empty() ? "it ended, or had no time" : trouble));
}

std::string CandidateProcess::trouble() const {
  std::string text(page_->trouble, strnlen(page_->trouble, sizeof(page_->trouble)));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

CandidateProcess::~CandidateProcess() { Kill(); }

bool CandidateProcess::HasEnded() {
  if (pid_ < 0) return true;
  if (waitpid(pid_, &wait_status_, WNOHANG) != pid_) return false;
  pid_ = -1;
  return true;
}

void CandidateProcess::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

CandidateProcess::Answer CandidateProcess::AwaitTurn(double deadline) {
  for (;;) {
    const double left = deadline - MonotonicSeconds();
    if (page_.WaitFor(Turn::kJudge, std::clamp(left, 0.0, kLookAfterSeconds))) return Answer::kDone;
    if (HasEnded()) return Answer::kEnded;
    if (left > 0) continue;
    Kill();
    return Answer::kOutOfTime;
  }
}

CandidateProcess::Answer CandidateProcess::Ask(Deed deed, double deadline) {
  if (HasEnded()) return Answer::kEnded;
  page_->deed = deed;
  const double processor = SecondsOf(processor_clock_);
  const double start = MonotonicSeconds();
  page_.PassTo(Turn::kCandidate);
  const Answer answer = AwaitTurn(deadline);
  last_turn_.outer = MonotonicSeconds() - start;
  last_turn_.told = page_->seconds;
  FollowTo(page_->processor);
  last_turn_.processor = SecondsOf(processor_clock_) - processor;
  return answer;
}

void CandidateProcess::FollowTo(int processor) {
  if (processor == sched_getcpu() || processor < 0 || processor >= CPU_SETSIZE) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);  // without it, too, all is right
}

bool CandidateProcess::Stop() {
  if (HasEnded()) return false;
  kill(pid_, SIGSTOP);
  pid_t changed;
  while ((changed = waitpid(pid_, &wait_status_, WUNTRACED)) < 0 && errno == EINTR) {
  }
  if (changed == pid_ && WIFSTOPPED(wait_status_)) return true;
  pid_ = -1;
  return false;
}

void CandidateProcess::Continue() {
  if (pid_ >= 0) kill(pid_, SIGCONT);
}

}  // namespace tune
