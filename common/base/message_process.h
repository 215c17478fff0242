// A child process that is kept and answers messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/base/launched_process.h"

namespace tune {

// What came of one message.
struct MessageAnswer {
  enum End {
    kAnswered,
    kEnded,      // the process ended before it answered, or answered something that is no message
    kTimedOut,   // and was killed
    kCancelled,  // and was killed
  };
  End end = kAnswered;
  std::string message;
  std::string log;     // what the process wrote to its standard error meanwhile, the last 64 KiB
  std::string reason;  // "was killed by signal 11 (Segmentation fault)"; set when kEnded
};

// The process reads messages from its standard input and writes one answer to each to its standard output,
// both as frames (common/base/frames.h). One thread at a time.
class MessageProcess {
 public:
  static constexpr size_t kMaxMessage = size_t{256} << 20;

  // The options' folder, environment and limits count; the rest is not used. Errors as LaunchProcess.
  static absl::StatusOr<std::unique_ptr<MessageProcess>> Start(const std::vector<std::string>& argv,
                                                               const SubprocessOptions& options = {});
  // Kills it.
  ~MessageProcess();

  // Sends the message and waits for the answer. `cancelled` is polled about every 50 ms, as in
  // SubprocessOptions. After anything but kAnswered the process has gone.
  MessageAnswer Exchange(absl::string_view message, absl::Duration limit, bool (*cancelled)(void*) = nullptr,
                         void* cancelled_argument = nullptr);

  // False after it has gone; after an end of its own accord, once an exchange has shown it or running() was
  // asked.
  bool alive() const { return process_.pid > 0; }
  // Looks whether it still runs, and reaps it when it does not.
  bool running();

 private:
  explicit MessageProcess(LaunchedProcess process);
  // Writes what fits of `rest`; reads what is there.
  void Transfer(absl::Duration limit, absl::string_view& rest);
  // The answer is complete in received_.
  bool Complete() const;
  // Kills and reaps it; how it ended.
  std::string Kill();

  LaunchedProcess process_;
  std::string received_, log_;
};

}  // namespace tune
