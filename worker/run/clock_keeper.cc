#include "worker/run/clock_keeper.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

constexpr int kLongestAnswerMs = 60'000;  // the driver's start is part of the first one
constexpr size_t kLongestLine = 1 << 16;

absl::Status Ended() {
  return absl::FailedPreconditionError(
      "the process that sets the device's clocks has ended; is tune-cuda-runner of the same version as "
      "tune-worker?");
}

bool WriteAll(int descriptor, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

ClockKeeper::~ClockKeeper() { Close(); }

void ClockKeeper::Close() {
  if (process_.pid <= 0) return;
  process_.input.Close();
  while (waitpid(process_.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = LaunchedProcess();
  received_.clear();
  is_set_ = false;
}

absl::StatusOr<std::string> ClockKeeper::ReadLine() {
  while (received_.find('\n') == std::string::npos) {
    pollfd output = {process_.output.get(), POLLIN, 0};
    const int ready = poll(&output, 1, kLongestAnswerMs);
    if (ready < 0 && errno == EINTR) continue;
    char part[4096];
    const ssize_t n = ready > 0 ? read(process_.output.get(), part, sizeof(part)) : 0;
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || received_.size() > kLongestLine) return Ended();
    received_.append(part, static_cast<size_t>(n));
  }
  const size_t end = received_.find('\n');
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

absl::StatusOr<std::string> ClockKeeper::Ask(const std::string& line) {
  if (process_.pid <= 0) {
    TUNE_ASSIGN_OR_RETURN(process_, LaunchProcess({program_, "--clocks", absl::StrCat(ordinal_)}, {}));
  }
  absl::StatusOr<std::string> answer = Ended();
  if (WriteAll(process_.input.get(), line + "\n")) answer = ReadLine();
  if (!answer.ok()) {
    Close();
    return answer;
  }
  absl::string_view words = *answer;
  if (absl::ConsumePrefix(&words, "ok")) return std::string(absl::StripLeadingAsciiWhitespace(words));
  absl::ConsumePrefix(&words, "refused ");
  return absl::FailedPreconditionError(absl::StrCat("device ", ordinal_, ": ", words));
}

absl::StatusOr<std::vector<int>> ClockKeeper::Supported() {
  TUNE_ASSIGN_OR_RETURN(const std::string words, Ask("list"));
  std::vector<int> clocks;
  for (const absl::string_view word : absl::StrSplit(words, ' ', absl::SkipEmpty())) {
    int mhz = 0;
    if (absl::SimpleAtoi(word, &mhz)) clocks.push_back(mhz);
  }
  return clocks;
}

absl::Status ClockKeeper::Set(int mhz) {
  TUNE_RETURN_IF_ERROR(Ask(absl::StrCat("set ", mhz)).status());
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status ClockKeeper::Reset() {
  if (!is_set_) return absl::OkStatus();
  is_set_ = false;
  const absl::Status reset = Ask("reset").status();
  if (!reset.ok()) spdlog::warn("{}", std::string(reset.message()));
  return reset;
}

}  // namespace tune
