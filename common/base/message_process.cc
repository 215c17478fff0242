#include "common/base/message_process.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "absl/time/clock.h"
#include "common/base/frames.h"
#include "common/base/pipe_signal.h"

namespace tune {
namespace {

constexpr absl::Duration kPollInterval = absl::Milliseconds(50);
constexpr size_t kLogLimit = 64 << 10;

// Appends what is there. Closes `fd` at the end of the stream.
void Drain(FileDescriptor& fd, std::string* text) {
  char buffer[65536];
  while (fd.open()) {
    const ssize_t n = read(fd.get(), buffer, sizeof(buffer));
    if (n > 0) {
      text->append(buffer, n);
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
      fd.Close();
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<MessageProcess>> MessageProcess::Start(const std::vector<std::string>& argv,
                                                                      const SubprocessOptions& options) {
  TUNE_ASSIGN_OR_RETURN(LaunchedProcess process, LaunchProcess(argv, options));
  return std::unique_ptr<MessageProcess>(new MessageProcess(std::move(process)));
}

MessageProcess::MessageProcess(LaunchedProcess process) : process_(std::move(process)) {
  for (const FileDescriptor* fd : {&process_.input, &process_.output, &process_.error}) {
    fcntl(fd->get(), F_SETFL, fcntl(fd->get(), F_GETFL) | O_NONBLOCK);
  }
}

MessageProcess::~MessageProcess() { Kill(); }

bool MessageProcess::running() {
  if (!alive()) return false;
  const pid_t ended = waitpid(process_.pid, nullptr, WNOHANG);
  if (ended == 0) return true;
  kill(-process_.pid, SIGKILL);  // what it may have started
  process_ = LaunchedProcess();
  return false;
}

bool MessageProcess::Complete() const {
  return received_.size() >= kFrameHeader && received_.size() - kFrameHeader >= FramedLength(received_);
}

void MessageProcess::Transfer(absl::Duration limit, absl::string_view& rest) {
  pollfd polled[3];
  int count = 0;
  const auto watch = [&](const FileDescriptor& fd, short events) {
    if (fd.open()) polled[count++] = {fd.get(), events, 0};
  };
  watch(process_.output, POLLIN);
  watch(process_.error, POLLIN);
  if (!rest.empty()) watch(process_.input, POLLOUT);
  poll(polled, count, static_cast<int>(absl::ToInt64Milliseconds(limit)) + 1);
  while (!rest.empty() && process_.input.open()) {
    const ssize_t n = write(process_.input.get(), rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(n);
    } else if (errno != EINTR) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) process_.input.Close();
      break;
    }
  }
  Drain(process_.output, &received_);
  Drain(process_.error, &log_);
  if (log_.size() > 2 * kLogLimit) log_.erase(0, log_.size() - kLogLimit);
}

std::string MessageProcess::Kill() {
  if (process_.pid <= 0) return "has gone";
  // One that closed its streams ends by itself within a moment, and then tells how.
  SubprocessResult result;
  int status = 0;
  const absl::Time patience =
      absl::Now() + (process_.output.open() ? absl::ZeroDuration() : absl::Seconds(1));
  pid_t ended;
  while ((ended = waitpid(process_.pid, &status, WNOHANG)) == 0 && absl::Now() < patience) {
    absl::SleepFor(absl::Milliseconds(2));
  }
  kill(-process_.pid, SIGKILL);
  if (ended == 0) {
    while (waitpid(process_.pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = LaunchedProcess();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result.Describe();
}

MessageAnswer MessageProcess::Exchange(absl::string_view message, absl::Duration limit,
                                       bool (*cancelled)(void*), void* cancelled_argument) {
  MessageAnswer answer;
  if (!alive()) {
    answer.end = MessageAnswer::kEnded;
    answer.reason = "has gone";
    return answer;
  }
  const PipeSignalBlocked pipe_signal_blocked;
  const std::string framed = Framed(message);
  absl::string_view rest = framed;
  received_.clear();
  log_.clear();
  const absl::Time deadline = absl::Now() + limit;
  bool too_long = false;
  // Also what it answered before it had read all is sent to the end: the next message begins after it.
  const auto unsent = [&] { return !rest.empty() && process_.input.open(); };
  while ((!Complete() || unsent()) && process_.output.open() && !too_long) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) answer.end = MessageAnswer::kTimedOut;
    if (cancelled != nullptr && cancelled(cancelled_argument)) answer.end = MessageAnswer::kCancelled;
    if (answer.end != MessageAnswer::kAnswered) break;
    Transfer(std::min(left, kPollInterval), rest);
    too_long = received_.size() >= kFrameHeader && FramedLength(received_) > kMaxMessage;
  }
  if (answer.end == MessageAnswer::kAnswered && Complete() && !too_long) {
    answer.message = received_.substr(kFrameHeader, FramedLength(received_));
  } else {
    if (answer.end == MessageAnswer::kAnswered) answer.end = MessageAnswer::kEnded;
    answer.reason = Kill();
  }
  if (log_.size() > kLogLimit) log_.erase(0, log_.size() - kLogLimit);
  answer.log = log_;
  return answer;
}

}  // namespace tune
