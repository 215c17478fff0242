// Studies of applications that tune themselves, while they run.
#pragma once

#include <atomic>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/clock.h"
#include "server/store/store.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// A study for each search of a run: results alone (kLibtuneFormat), whose candidates are of origin ONLINE, in
// the order tried; candidate 0 is the first try that counted. Nobody works on it: what is reported is stored
// at once, and what is stored is all that is known of it. Thread safe.
class OnlineStudies {
 public:
  // After so long without a report a study is stopped.
  static constexpr absl::Duration kSilence = absl::Minutes(1);

  // Neither is owned.
  OnlineStudies(Store* store, const Clock* clock) : store_(store), clock_(clock) {}

  static bool IsOne(const v1::Study& study);

  // As ReportTries in exchange_service.proto; `owner` is whose studies they are. What comes before an error
  // is stored. Errors are also the store's.
  absl::StatusOr<v1::ReportTriesResponse> Report(const std::string& owner,
                                                 const v1::ReportTriesRequest& request)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // As it is now, for who watches it. UNAVAILABLE after Shutdown.
  absl::StatusOr<v1::Study> Get(const std::string& study_id) const;
  void Shutdown() { stopping_ = true; }

  // Studies that a former run of the server left unfinished: they are silent from now on.
  void TakeUp(const std::string& study_id) ABSL_LOCKS_EXCLUDED(mutex_);
  // Stops what has been silent for too long. What cannot be stored is tried again the next time.
  void StopSilent() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::StatusOr<std::string> Take(const std::string& owner, const std::string& run,
                                   const v1::OnlineSearch& search) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<v1::Study> FindOrAdd(const std::string& owner, const std::string& run,
                                      const v1::OnlineSearch& search) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Store* const store_;
  const Clock* const clock_;
  std::atomic<bool> stopping_{false};
  absl::Mutex mutex_;
  std::map<std::string, absl::Time> heard_ ABSL_GUARDED_BY(mutex_);  // of unfinished ones, by id; steady
};

}  // namespace tune
