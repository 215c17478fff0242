// Tells open pages that something has changed.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/dashboard/study_index.h"

namespace tune {

class ChangeFeed;

// What one page has not been told yet. Changes that are not fetched are merged, so it never holds more than
// the names of the studies. Thread safe.
class Subscription {
 public:
  ~Subscription();

  // The next event, as text/event-stream has it; empty when there was none for `limit`; nullopt: the feed has
  // ended.
  std::optional<std::string> Next(absl::Duration limit);

 private:
  friend class ChangeFeed;
  Subscription(ChangeFeed* feed, std::string study) : feed_(feed), study_(std::move(study)) {}

  ChangeFeed* const feed_;
  const std::string study_;  // empty: all
  // Of the feed's mutex:
  std::set<std::string> studies_;
  bool workers_ = false;
  bool greeted_ = false;
};

struct ChangeFeedOptions {
  absl::Duration interval = absl::Milliseconds(500);  // between two looks
  int most_subscriptions = 64;
};

// One thread looks for changes, whatever the number of pages; it sleeps while there is none. Thread safe.
// Subscriptions must be gone before it is.
class ChangeFeed {
 public:
  // Neither is owned.
  ChangeFeed(const Coordinator* coordinator, StudyIndex* index, const ChangeFeedOptions& options);
  ~ChangeFeed();  // Shutdown

  // RESOURCE_EXHAUSTED when there are too many already. With `study` only that one's changes.
  absl::StatusOr<std::unique_ptr<Subscription>> Subscribe(const std::string& study);
  int CountSubscriptions() const;

  // Next of every subscription returns nullopt from now on.
  void Shutdown();

 private:
  friend class Subscription;
  void Run();
  // What has changed since the last look.
  void Look();
  void Tell(const std::vector<std::string>& studies, bool workers) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Coordinator* const coordinator_;
  StudyIndex* const index_;
  const ChangeFeedOptions options_;

  mutable absl::Mutex mutex_;
  std::set<Subscription*> subscriptions_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Of the thread alone:
  uint64_t version_ = 0;
  std::string workers_;  // serialized
  std::thread thread_;
};

}  // namespace tune
