// What a study's search has learned, and why it made a candidate.
#pragma once

#include <list>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/study/coordinator.h"

namespace tune {

// The state of a search that has ended is stored. Every other explanation walks all candidates of a study
// once more, on the study's own thread. So only few are made at a time, and those asked for last are kept
// while their study has no new evaluation. Thread safe.
class Explanations {
 public:
  explicit Explanations(Coordinator* coordinator) : coordinator_(coordinator) {}  // not owned

  // `index_plus_one` as in v1::ExplainRequest. RESOURCE_EXHAUSTED while others are made: ask again.
  absl::StatusOr<v1::Explanation> Get(const std::string& study_id, int64_t index_plus_one);

 private:
  struct Key {
    std::string study;
    int64_t index_plus_one;
    int evaluated;
    bool operator==(const Key&) const = default;
  };

  Coordinator* const coordinator_;
  absl::Mutex mutex_;
  int making_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<std::pair<Key, v1::Explanation>> kept_ ABSL_GUARDED_BY(mutex_);  // newest first
};

}  // namespace tune
