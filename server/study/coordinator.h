// All studies of the server, and the calls that reach them. The services are thin adaptors over this.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/dispatch/dispatcher.h"
#include "server/store/store.h"
#include "server/study/active_study.h"
#include "server/study/code_generation.h"
#include "server/study/online_studies.h"
#include "server/study/quotas.h"
#include "server/study/study_space.h"
#include "server/study/study_watch.h"
#include "server/study/synchronization.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/study_service.pb.h"

namespace tune {

// Whether what is asked for counts against the quotas of its owner.
enum class Charge { kNobody, kOwner };

struct CoordinatorOptions {
  Quotas quotas;
  DispatchOptions dispatch;
  absl::Duration tick = absl::Milliseconds(500);  // how often expiry is looked for
  absl::Duration loop_wait = absl::Minutes(5);    // for a study's loop to answer
  CodeGeneration generate = nullptr;              // what workers' code is compared with; null: it is not
};

// Thread safe. Locks: this, then a study's, then the store's or the dispatcher's.
class Coordinator {
 public:
  // Takes the studies of the store up again, where they were. `store` and `clock` are not owned.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(const CoordinatorOptions& options, Store* store,
                                                            const Clock* clock, SpaceFactory make_space);
  ~Coordinator();  // Shutdown(InfiniteDuration)

  // ---- study_service
  // No lock is held while the scop is looked at (Store::Identify), so submissions at the same time may go
  // beyond a quota together. RESOURCE_EXHAUSTED when the spec's owner is charged and has used a quota up.
  absl::StatusOr<v1::Study> Submit(v1::StudySpec spec, const std::string& request_id,
                                   Charge charge = Charge::kNobody);
  // FAILED_PRECONDITION for what an application tries while it runs.
  absl::StatusOr<v1::Study> Cancel(const std::string& study_id);
  absl::StatusOr<int64_t> Replay(const v1::ReplayRequest& request);
  absl::StatusOr<v1::Explanation> Explain(const v1::ExplainRequest& request);

  // ---- worker_service
  // Stores the results that the call brings, and goes on as synchronization.h says.
  absl::StatusOr<Synchronization> Synchronize(v1::SynchronizeRequest request);
  // Without the program, which the store has.
  absl::StatusOr<v1::StudySetup> GetStudySetup(const std::string& study_id);

  // Ends leases that have run out, unless the server itself stood still. Done each `tick`; for tests whose
  // clock has moved.
  void LookAtClock() ABSL_LOCKS_EXCLUDED(look_mutex_);
  // The same when the server was last at work so long ago.
  void LookAfter(absl::Duration pause);

  // ---- state_service
  absl::StatusOr<v1::ServerInfo> Info() const;
  absl::StatusOr<v1::ListStudiesResponse> ListStudies(const v1::ListStudiesRequest& request) const;
  absl::StatusOr<v1::Study> GetStudy(const std::string& study_id) const;
  absl::StatusOr<StudyWatch> Watch(const std::string& study_id) const;
  absl::StatusOr<v1::ListCandidatesResponse> ListCandidates(const v1::ListCandidatesRequest& request) const;
  absl::StatusOr<v1::Candidate> GetCandidate(const std::string& study_id, int64_t index) const;
  absl::StatusOr<v1::StudySpec> GetSpec(const std::string& study_id) const;
  std::vector<v1::WorkerView> ListWorkers() const { return dispatcher_.ListWorkers(); }

  // ---- exchange_service
  // RESOURCE_EXHAUSTED when `owner` has used a quota up, or would with what it wants.
  absl::Status CheckUse(const std::string& owner, const Usage& wants) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Studies of applications that tune themselves.
  OnlineStudies& online() { return online_; }
  Store& store() const { return *store_; }
  absl::Time Now() const { return clock_->Now(); }
  // Whether the study is being worked on.
  bool IsActive(const std::string& study_id) const { return Find(study_id) != nullptr; }
  // Removes the study from the store; false when it is being worked on, which includes a replay that came
  // just now.
  absl::StatusOr<bool> RemoveStudy(const std::string& study_id) ABSL_LOCKS_EXCLUDED(mutex_);

  // Every waiting call is woken, loops end as soon as they can. False when a loop was still in isl after
  // `limit`; then only the end of the process helps, which loses nothing.
  bool Shutdown(absl::Duration limit);

 private:
  friend class Synchronization;
  struct Running {
    std::shared_ptr<ActiveStudy> study;
    std::unique_ptr<std::thread> loop;        // null until the reference is known
    std::unique_ptr<std::atomic<bool>> done;  // the loop has returned
  };

  Coordinator(const CoordinatorOptions& options, Store* store, const Clock* clock, SpaceFactory make_space,
              int64_t run, const std::string& lease_key);
  // What the search has learned: as stored at its end, or made now and stored where the study has ended.
  absl::StatusOr<v1::Explanation> ExplainSearch(const v1::ExplainRequest& request);
  // The answer of the study's loop, which is started where it has ended.
  absl::StatusOr<LoopRequest::Answer> AskLoop(const std::string& study_id, const LoopRequest& request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<ActiveStudy> Find(const std::string& study_id) const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::shared_ptr<ActiveStudy>> Activate(const v1::Study& study)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Starts the study's loop when it has its reference and no loop.
  void StartLoop(const std::string& study_id) ABSL_LOCKS_EXCLUDED(mutex_);
  void StartLoopLocked(Running& running) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Puts away studies that have ended.
  void Reap() ABSL_LOCKS_EXCLUDED(mutex_);
  void Tick();
  void Tell(const std::vector<TaskEvent>& events);
  // All studies hear of workers that were set aside.
  void TellSetAsides() ABSL_LOCKS_EXCLUDED(mutex_);
  void AcceptResult(const std::string& worker, const v1::LeaseResult& result,
                    v1::SynchronizeResponse* response);
  bool StoreResult(const Claim& claim, const std::string& worker, const v1::LeaseResult& result);
  void AddLeases(const std::string& worker, uint64_t call, int free_slots, v1::SynchronizeResponse* response);
  absl::Status LateResult(const Claim& claim, const v1::LeaseResult& result, const std::string& worker);

  const CoordinatorOptions options_;
  Store* const store_;
  const Clock* const clock_;
  const SpaceFactory make_space_;
  const absl::Time started_;
  Dispatcher dispatcher_;
  OnlineStudies online_;

  absl::Mutex look_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  absl::Time last_look_ ABSL_GUARDED_BY(look_mutex_) = Clock::Real().Steady();

  mutable absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<std::string, Running> running_ ABSL_GUARDED_BY(mutex_);  // by study id
  std::thread ticker_;
};

}  // namespace tune
