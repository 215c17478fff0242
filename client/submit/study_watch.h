// A study's updates, over restarts of the server.
#pragma once

#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "client/submit/study_client.h"

namespace tune {

// Reads WatchStudy in a thread of its own and connects again when the server goes away. Updates that
// nobody took in time are overtaken by later ones. Thread safe.
class StudyWatch {
 public:
  // `client` must outlive the watch.
  StudyWatch(StudyClient* client, std::string study_id);
  ~StudyWatch();
  StudyWatch(const StudyWatch&) = delete;
  StudyWatch& operator=(const StudyWatch&) = delete;

  struct Event {
    std::optional<v1::Study> study;  // the newest state, when it is new
    // OK while updates may come. After an error none will (NOT_FOUND, UNAUTHENTICATED, ...).
    absl::Status status;
    // Not InfinitePast: since when the server has not answered.
    absl::Time unreachable_since = absl::InfinitePast();
    // A finished study was delivered, by this event or an earlier one.
    bool finished = false;
  };
  // Waits for the next update, an error, or `limit`.
  Event Wait(absl::Duration limit);

 private:
  void Run();
  // One stream until it ends; what ended it.
  absl::Status ReadStream();

  StudyClient* const client_;
  const std::string study_id_;
  absl::Mutex mutex_;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the open stream
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  bool news_ ABSL_GUARDED_BY(mutex_) = false;
  Event event_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace tune
