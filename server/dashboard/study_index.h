// All studies' summaries, kept in memory for lists, results and changes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/study/coordinator.h"

namespace tune {

struct IndexedStudy {
  v1::Study study;
  uint64_t version = 0;  // grows with every change of any study
};

// Follows the coordinator: reads what is new and what has not finished, and everything again when a study has
// gone. Thread safe.
class StudyIndex {
 public:
  using List = std::vector<std::shared_ptr<const IndexedStudy>>;  // newest first

  // `coordinator` is not owned. What a call returns may be older by `freshness`.
  StudyIndex(const Coordinator* coordinator, absl::Duration freshness)
      : coordinator_(coordinator), freshness_(freshness) {}

  absl::StatusOr<List> All();

  // What has changed since `*version`, which is brought up to date; 0: everything. A study that has gone is
  // named, too.
  absl::StatusOr<std::vector<std::string>> ChangedSince(uint64_t* version);

  // ScopFingerprint of the study's scop; empty for one without statements, as of results that came without
  // their program. NOT_FOUND for an unknown study.
  absl::StatusOr<std::string> ScopOf(const std::string& study_id);

 private:
  absl::Status Refresh() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ReadNew() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ReadUnfinished() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Forget(int64_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Keep(v1::Study study) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ReadAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Coordinator* const coordinator_;
  const absl::Duration freshness_;

  absl::Mutex mutex_;
  absl::Time refreshed_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, std::shared_ptr<const IndexedStudy>, std::greater<int64_t>> studies_
      ABSL_GUARDED_BY(mutex_);                                        // by number
  std::map<std::string, uint64_t> gone_ ABSL_GUARDED_BY(mutex_);      // id -> version at which it went
  std::map<std::string, std::string> scops_ ABSL_GUARDED_BY(mutex_);  // id -> fingerprint
};

}  // namespace tune
