// A study's candidates as rows for curves and tables.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/study/coordinator.h"

namespace tune {

// What curves and lists need of a candidate; its texts, samples and kernels are read one by one.
struct CandidateRow {
  int64_t index = 0;
  v1::Origin origin = v1::ORIGIN_UNSPECIFIED;
  v1::CandidateState state = v1::CANDIDATE_STATE_UNSPECIFIED;
  v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;  // while there is no evaluation
  double seconds = 0;                             // median; 0: not measured
  double confidence_low = 0, confidence_high = 0;
  double joules = 0;     // of a run; 0: not measured
  double objective = 0;  // the quantity that the study is tuned for; 0: not known
  double cost = 0;       // by it, less is better; 0: not known
  // `objective` of the search's best among this one and those evaluated before it; 0: none yet, or the row is
  // not an evaluation of the search.
  double best_so_far = 0;
  int64_t created_unix_ms = 0, evaluated_unix_ms = 0;  // 0: not yet
  int64_t duplicate_of = -1;
  std::string worker;
  std::string message;                          // at most 300 bytes
  std::vector<std::pair<int, double>> stages;   // number of CandidateTable::stages, seconds
  std::vector<std::pair<int, double>> metrics;  // number of CandidateTable::metrics, value
};

struct CandidateTable {
  std::vector<CandidateRow> rows;    // in order of index
  std::vector<std::string> stages;   // names, in the order of an evaluation
  std::vector<std::string> metrics;  // names
};

// Tables of the studies looked at last; a table is brought up to date by reading the candidates that had no
// evaluation and those that are new. Thread safe.
class CandidateTables {
 public:
  // `coordinator` is not owned. What Get returns may be older by `freshness`.
  CandidateTables(const Coordinator* coordinator, absl::Duration freshness)
      : coordinator_(coordinator), freshness_(freshness) {}

  // NOT_FOUND for an unknown study.
  absl::StatusOr<std::shared_ptr<const CandidateTable>> Get(const std::string& study_id);

 private:
  struct Entry {
    absl::Mutex mutex;  // held while it is brought up to date
    std::shared_ptr<const CandidateTable> table ABSL_GUARDED_BY(mutex) = std::make_shared<CandidateTable>();
    absl::Time read ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
  };
  std::shared_ptr<Entry> Find(const std::string& study_id);
  absl::Status Refresh(const v1::Study& study, Entry& entry) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry.mutex);

  const Coordinator* const coordinator_;
  const absl::Duration freshness_;
  absl::Mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
  std::list<std::string> recent_ ABSL_GUARDED_BY(mutex_);  // ids, last used first
};

// Sets best_so_far of every row.
void FollowBest(std::vector<CandidateRow>* rows);

}  // namespace tune
