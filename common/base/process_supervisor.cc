#include "common/base/process_supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "absl/time/clock.h"
#include "common/base/pipe_signal.h"

namespace tune {
namespace {

constexpr absl::Duration kChildPollInterval = absl::Milliseconds(50);
// How long output is still read after the whole process group is dead.
constexpr absl::Duration kDrainLimit = absl::Milliseconds(500);

}  // namespace

ProcessSupervisor::ProcessSupervisor(pid_t child, const SubprocessOptions& options)
    : child_(child),
      options_(options),
      output_(options.output_limit_bytes),
      error_(options.output_limit_bytes) {}

void ProcessSupervisor::Tail::Add(absl::string_view piece) {
  text_.append(piece.data(), piece.size());
  if (text_.size() > 2 * limit_ + 65536) text_.erase(0, text_.size() - limit_);
}

std::string ProcessSupervisor::Tail::Take() && {
  if (text_.size() > limit_) text_.erase(0, text_.size() - limit_);
  return std::move(text_);
}

// Reads what is there; closes `fd` at the end of the stream.
void ProcessSupervisor::Drain(FileDescriptor& fd, Tail& tail) {
  char buffer[65536];
  while (fd.open()) {
    const ssize_t n = read(fd.get(), buffer, sizeof(buffer));
    if (n > 0) {
      tail.Add(absl::string_view(buffer, n));
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return;
    } else {
      fd.Close();
    }
  }
}

// Writes what fits; closes `fd` when all is written or the reader is gone.
void ProcessSupervisor::Feed(FileDescriptor& fd, absl::string_view& rest) {
  while (fd.open()) {
    if (rest.empty()) return fd.Close();
    const ssize_t n = write(fd.get(), rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(n);
    } else if (errno == EINTR) {
      continue;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else {
      fd.Close();
    }
  }
}

void ProcessSupervisor::SetStreams(FileDescriptor input, FileDescriptor output, FileDescriptor error) {
  input_fd_ = std::move(input);
  output_fd_ = std::move(output);
  error_fd_ = std::move(error);
  for (const FileDescriptor* fd : {&input_fd_, &output_fd_, &error_fd_}) {
    if (fd->open()) fcntl(fd->get(), F_SETFL, fcntl(fd->get(), F_GETFL) | O_NONBLOCK);
  }
}

SubprocessResult ProcessSupervisor::Wait() {
  PipeSignalBlocked pipe_signal_blocked;
  const absl::Time start = absl::Now();
#ifdef SYS_pidfd_open
  process_fd_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, child_, 0)));
#endif
  if (process_fd_.open()) fcntl(process_fd_.get(), F_SETFD, FD_CLOEXEC);
  absl::string_view rest = options_.standard_input;
  while (!Ended()) {
    const absl::Duration left = options_.wall_limit - (absl::Now() - start);
    if (left <= absl::ZeroDuration()) result_.timed_out = true;
    if (options_.cancelled != nullptr && options_.cancelled(options_.cancelled_argument)) {
      result_.cancelled = true;
    }
    if (result_.timed_out || result_.cancelled) break;
    Exchange(std::min(left, kChildPollInterval), rest);
  }
  Finish(start);
  return std::move(result_);
}

bool ProcessSupervisor::Ended() const {
  siginfo_t info = {};
  const int result = waitid(P_PID, child_, &info, WEXITED | WNOHANG | WNOWAIT);
  return result == 0 ? info.si_pid == child_ : errno != EINTR;
}

void ProcessSupervisor::Exchange(absl::Duration limit, absl::string_view& rest) {
  pollfd polled[4];
  int count = 0;
  const auto watch = [&](const FileDescriptor& fd, short events) {
    if (fd.open()) polled[count++] = {fd.get(), events, 0};
  };
  watch(process_fd_, POLLIN);
  watch(output_fd_, POLLIN);
  watch(error_fd_, POLLIN);
  watch(input_fd_, POLLOUT);
  // Without a process descriptor the end of a child that closed its streams is seen by polling.
  if (!process_fd_.open()) limit = std::min(limit, absl::Milliseconds(5));
  poll(polled, count, static_cast<int>(absl::ToInt64Milliseconds(limit)) + 1);
  Drain(output_fd_, output_);
  Drain(error_fd_, error_);
  Feed(input_fd_, rest);
}

void ProcessSupervisor::Finish(absl::Time start) {
  kill(-child_, SIGKILL);
  kill(child_, SIGKILL);  // in case it has not made its group yet
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  result_.wall_time = absl::Now() - start;
  input_fd_.Close();
  const absl::Time drain_end = absl::Now() + kDrainLimit;
  absl::string_view nothing;
  do {
    Drain(output_fd_, output_);
    Drain(error_fd_, error_);
    if (!output_fd_.open() && !error_fd_.open()) break;
    process_fd_.Close();
    Exchange(absl::Milliseconds(5), nothing);
  } while (absl::Now() < drain_end);
  result_.standard_output = std::move(output_).Take();
  result_.standard_error = std::move(error_).Take();
  if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
  if (result_.signal == SIGXCPU) result_.timed_out = true;
}

}  // namespace tune
