// The page that a judge and a candidate's process share, and whose turn it is.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/base/status.h"
#include "worker/run/fault_report.h"

namespace tune {

// What a candidate's process is asked to do.
enum class Deed : uint32_t {
  kLoad,          // the candidate's library; until then the region is an empty one
  kRun,           // gives the written arrays their input again, then runs the region
  kRunOnPresent,  // runs the region on what the arrays hold
};

enum class Turn : uint32_t { kJudge, kCandidate };

// Once a candidate is loaded it may write anything here at any time: the judge believes nothing that it reads
// and reads each value once. Atomic values are free of locks, so that they work between processes.
struct ExchangePage {
  std::atomic<Turn> turn{Turn::kJudge};
  std::atomic<Deed> deed{Deed::kRun};
  std::atomic<int> processor{-1};   // that its main thread ran on
  std::atomic<double> seconds{0};   // that the region took by the process's own clock
  std::atomic<bool> loaded{false};  // there is a region to run
  char trouble[400] = {};           // why not
  FaultReport fault;
};

// One page in the memory of this process and of those that it forks.
class SharedPage {
 public:
  // RESOURCE_EXHAUSTED.
  static absl::StatusOr<SharedPage> Make();
  ~SharedPage();
  SharedPage(SharedPage&& other) noexcept;
  SharedPage& operator=(SharedPage&& other) noexcept;

  ExchangePage* operator->() const { return page_; }
  ExchangePage* get() const { return page_; }

  // Wakes who waits for this turn.
  void PassTo(Turn turn) const;
  // Waits until it is this turn, for `seconds` at most (not at all by the clock when negative), or until a
  // signal comes. True when it is.
  bool WaitFor(Turn turn, double seconds) const;

 private:
  explicit SharedPage(ExchangePage* page) : page_(page) {}
  ExchangePage* page_ = nullptr;
};

}  // namespace tune
