// The process that a candidate runs in, from the judge's side.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "worker/run/candidate_host.h"
#include "worker/run/exchange_page.h"
#include "worker/run/run_arrays.h"

namespace tune {

// How long a turn of a candidate's process took.
struct TurnTime {
  double outer = 0;      // seconds by the judge's clock, from before it passed the turn until it had it back
  double told = 0;       // seconds that the process says the region took
  double processor = 0;  // seconds of all its threads meanwhile, by the kernel's account
};

// A child of this process, killed by the destructor. It may be stopped between turns. One thread.
class CandidateProcess {
 public:
  enum class Answer { kDone, kEnded, kOutOfTime };

  // Returns when the child is confined and waits for its first turn. `deadline` by MonotonicSeconds. Errors
  // are the machine's or the worker's fault.
  static absl::StatusOr<std::unique_ptr<CandidateProcess>> Start(const CandidateHostSettings& settings,
                                                                 RunArrays* arrays, double deadline);
  ~CandidateProcess();
  CandidateProcess(const CandidateProcess&) = delete;
  CandidateProcess& operator=(const CandidateProcess&) = delete;

  // Passes the turn and waits until it comes back. When time is out the child has been killed. The calling
  // thread moves to the processor that the child's main thread has just left, so that the two take none from
  // the candidate's other threads.
  Answer Ask(Deed deed, double deadline);
  const TurnTime& last_turn() const { return last_turn_; }

  // None of its threads runs when this has returned. False when the process had ended.
  bool Stop();
  void Continue();

  // As waitpid tells it; once the process has ended.
  int wait_status() const { return wait_status_; }
  // Whether it could load the candidate, and why not: printable text, whatever is there.
  bool loaded() const { return page_->loaded; }
  std::string trouble() const;
  // A copy, of a time when it was not written to if the process has ended.
  FaultReport fault() const { return page_->fault; }

 private:
  explicit CandidateProcess(SharedPage page) : page_(std::move(page)) {}
  Answer AwaitTurn(double deadline);
  static void FollowTo(int processor);
  // Whether it has; then it is reaped.
  bool HasEnded();
  void Kill();

  SharedPage page_;
  pid_t pid_ = -1;  // -1: it has ended
  clockid_t processor_clock_ = 0;
  int wait_status_ = 0;
  TurnTime last_turn_;
};

}  // namespace tune
