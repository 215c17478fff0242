// A run of the user's program that stops where its region begins, until the GPU is used for nothing else.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "common/base/status.h"
#include "common/base/subprocess.h"
#include "worker/run/cancellation.h"

namespace tune {

// Calls `run` when the GPU that a program uses is used for nothing else; not when that will not be.
using DeviceTurn = std::function<void(const std::function<void()>& run)>;

// What a program does before its region, which may take many minutes, keeps nobody from the GPU.
class RegionTurn {
 public:
  // `log_file`: the program's ExecutionLog, which says that it stops. `limit`: of the run's wall time,
  // without what it waits. `cancellation` may be null, else outlives this. Errors of opening the file.
  static absl::StatusOr<std::unique_ptr<RegionTurn>> Open(const std::string& log_file, absl::Duration limit,
                                                          Cancellation* cancellation);
  ~RegionTurn();
  RegionTurn(const RegionTurn&) = delete;
  RegionTurn& operator=(const RegionTurn&) = delete;

  // Calls `program`, which starts it with options that Watch has set, in a thread of its own. From its region
  // on, if it comes there, it runs within a call of `turn`. CANCELLED when that does not let it. Call once.
  absl::StatusOr<SubprocessResult> Run(const DeviceTurn& turn,
                                       const std::function<absl::StatusOr<SubprocessResult>()>& program);
  // Limit and cancellation of the run.
  void Watch(SubprocessOptions* options);

 private:
  RegionTurn(int log, absl::Duration limit, Cancellation* cancellation)
      : log_(log), limit_(limit), cancellation_(cancellation) {}

  bool Ends();
  bool IsAtRegion() const;
  absl::Duration Waited() const;
  void GoOn();

  const int log_;  // a descriptor: the program may put another file in its place
  const absl::Duration limit_;
  Cancellation* const cancellation_;
  absl::Notification there_;  // at its region, or at its end
  absl::Notification has_turn_;
  absl::Notification refused_;  // its turn will not come
  absl::Time began_;
  absl::Time went_on_;  // read after has_turn_
  // Of the thread that runs the program.
  absl::Time stopped_;
  bool at_region_ = false;
  bool late_ = false;
};

}  // namespace tune
