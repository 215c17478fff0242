// The worker's hold on a device's clock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/launched_process.h"
#include "common/base/status.h"

namespace tune {

// A process beside the worker, outside of the sandbox, since drivers ask who sets clocks: `tune-cuda-runner
// --clocks`. It sets the clock back when it is told to and when its input ends, so also when this process is
// killed. Started when it is first needed. One thread at a time.
class ClockKeeper {
 public:
  ClockKeeper(std::string program, int ordinal) : program_(std::move(program)), ordinal_(ordinal) {}
  // Waits until the clock is set back.
  ~ClockKeeper();
  ClockKeeper(const ClockKeeper&) = delete;
  ClockKeeper& operator=(const ClockKeeper&) = delete;

  // The graphics clocks that the device has, in MHz. FAILED_PRECONDITION, as with the others: why it cannot
  // be done, and what to do.
  absl::StatusOr<std::vector<int>> Supported();
  absl::Status Set(int mhz);
  // Does nothing where nothing is set.
  absl::Status Reset();

 private:
  // The words behind "ok".
  absl::StatusOr<std::string> Ask(const std::string& line);
  absl::StatusOr<std::string> ReadLine();
  void Close();

  const std::string program_;
  const int ordinal_;
  LaunchedProcess process_;
  std::string received_;
  bool is_set_ = false;
};

}  // namespace tune
