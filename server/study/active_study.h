// One study while the server works on it: its state, and everything that may happen to it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/clock.h"
#include "server/dispatch/dispatcher.h"
#include "server/store/store.h"
#include "server/study/study_metrics.h"
#include "server/study/study_summary.h"
#include "tune/v1/explanation.pb.h"
#include "tune/v1/study_service.pb.h"

namespace tune {

// What only the study's loop can answer, because it needs the study's space.
struct LoopRequest {
  // A configuration to be evaluated beside the search, answered by the index of its candidate; or an
  // explanation.
  std::variant<v1::ReplayRequest, v1::ExplainRequest> wanted;
  using Answer = std::variant<int64_t, v1::Explanation>;
  std::optional<absl::StatusOr<Answer>> answer;  // set when decided
};

// A code that was evaluated: the first 64 bits of its fingerprint, and the candidate that has it.
struct KnownCode {
  uint64_t code = 0;
  int64_t candidate = 0;
};

// QUEUED -> REFERENCE -> SEARCHING -> CONFIRMING -> DONE, and from each of the first four to FAILED or
// STOPPED. Every change is in the store before anybody sees it; when the store refuses, nothing has
// changed. Thread safe; no isl work. Locks: this, then the store's or the dispatcher's.
class ActiveStudy {
 public:
  // `store`, `dispatcher`, `clock` are not owned. `study` as stored; `spec` without its program.
  ActiveStudy(const v1::Study& study, std::shared_ptr<const v1::StudySpec> spec, Store* store,
              Dispatcher* dispatcher, const Clock* clock);

  // Loads the candidates and puts what is to be done into the dispatcher's queue.
  absl::Status Recover();

  const std::string& id() const { return id_; }
  const v1::StudySpec& spec() const { return *spec_; }
  v1::Study View() const;
  // That the search has still to make; none when the study has ended.
  std::optional<int64_t> EvaluationsLeft() const;

  // ---- for clients
  // The view when it is newer than *version, which is updated.
  std::optional<v1::Study> ViewAfter(int64_t* version) const;
  absl::Status Cancel();
  // Hands the request to the loop and waits for its answer, at most `limit`.
  absl::StatusOr<LoopRequest::Answer> Ask(const LoopRequest& request, absl::Duration limit);
  // Sets what only the dispatcher knows: LEASED, attempts.
  void Overlay(v1::Candidate* candidate) const;
  v1::StudySetup Setup() const;  // without the program

  // ---- for workers
  // The lease's content. NOT_FOUND when the task has gone meanwhile: withdraw the lease.
  absl::StatusOr<v1::Lease> Describe(const Grant& grant);
  // Stores a result. OK: it may be acknowledged. `ran`: as Dispatcher::Complete wants it.
  absl::Status Accept(const Claim& claim, const std::string& worker, const v1::LeaseResult& result,
                      RunResult* ran);
  void Tell(const TaskEvent& event);

  // ---- for the loop
  struct News {
    CandidatePage evaluated;  // of the search, each once, in order of arrival, without texts
    bool more = false;        // of those: ask again at once
    std::vector<std::shared_ptr<LoopRequest>> requests;
    std::vector<v1::Inspection> inspected;  // each once
  };
  // Takes what has come, a part at a time, into `news`. With `wait` sleeps
  // until there is something or the state changes. Errors are the store's; then nothing was taken.
  absl::Status TakeNews(bool wait, News* news);
  // Requests alone, without waiting.
  std::vector<std::shared_ptr<LoopRequest>> TakeRequests();
  v1::StudyState state() const;
  bool stopping() const;
  // Candidates of the search so far, and how many of them have no evaluation.
  int64_t CountSearched() const;
  int64_t CountOutstanding() const;
  int64_t CountOutstandingReplays() const;
  // Of the search, those that were carved: they take none of its budget.
  int64_t CountCarved() const;

  // Those of the store, in order of index.
  absl::StatusOr<std::vector<v1::Inspection>> Inspections() const;
  // So many come before the search. CANCELLED when the study has ended.
  absl::Status PlanInspections(int planned, bool whole_space);
  // Has the configuration inspected; the loop gets the result as news, under the same index.
  void Inspect(int64_t index, const v1::Configuration& configuration);
  int64_t CountInspecting() const;
  // How many of the planned ones carving has removed. CANCELLED when the study has ended.
  absl::Status TellRemoved(int removed);
  // Since the first candidate was added, the times between runs of the server among it; 0 before.
  absl::Duration SearchTime() const;
  // A pending candidate of the search; with `evaluation` an evaluated one, which the loop gets as news.
  // CANCELLED when the study has ended.
  absl::Status AddCandidate(v1::Candidate candidate, const v1::Evaluation* evaluation);
  // A pending candidate beside the search, also of a study that has ended; returns its index.
  absl::StatusOr<int64_t> AddReplay(v1::Candidate candidate);
  void Answer(const std::shared_ptr<LoopRequest>& request, absl::StatusOr<LoopRequest::Answer> answer);
  // Calls `visit` with the candidates of the search below `end` that have an evaluation, without texts, in
  // order of index. Ends with the first error.
  absl::Status VisitEvaluated(int64_t end,
                              const std::function<absl::Status(const v1::Candidate&)>& visit) const;
  // The candidates that a confirmation of what is known now would measure, with texts.
  absl::StatusOr<std::vector<StoredCandidate>> Finalists() const;
  // What the code of these candidates was found to be. `warning`: for people; empty: none.
  absl::Status KeepComparisons(const std::map<int64_t, v1::CodeComparison>& found,
                               const std::string& warning);
  // Stores the region's case discussion; where there is none, `warning` tells why. CANCELLED when the study
  // has ended.
  absl::Status KeepCases(const v1::CaseDiscussion& cases, const std::string& warning);
  // The worker gets no more of this study's device.
  void SetAside(const std::string& worker, const std::string& why);
  // The worker was set aside for such devices: what it has sent so far is doubtful, if the study is theirs.
  void Doubt(const std::string& worker, const DeviceKind& kind);
  // Whether the candidate's evaluation is of a worker that is set aside, or was after it had sent it.
  bool IsDoubtful(const v1::Candidate& candidate) const;
  // While the study searches: the evaluations of these candidates of the search, and those that were copied
  // from them, count no more, and the candidates are handed out again. The search is not told again: what it
  // has learned of them stays. `warning`: for people.
  absl::Status MeasureAgain(const std::set<int64_t>& indices, const std::string& warning);
  // SEARCHING -> CONFIRMING, or to DONE when nothing is CORRECT.
  absl::Status BeginConfirmation(const std::string& space_note);
  absl::Status Fail(const std::string& failure, const std::string& log);
  // Stores what the search has learned. Also of a study that has ended.
  absl::Status KeepSearchState(v1::Explanation state);

  // The loop's thread ends soon; requests and waits end with UNAVAILABLE.
  void Stop();
  // The loop has ended: nothing is waited for any more. False when a request came in meanwhile.
  bool TryRetire();

 private:
  using Lock = absl::MutexLock;
  // Stores the changed view and candidates, then makes them current. `next` is the whole new view.
  absl::Status Commit(v1::Study next, std::vector<StoredCandidate> candidates,
                      std::vector<v1::Inspection> inspections = {}) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Finish(v1::Study next, v1::StudyState state, std::vector<StoredCandidate> candidates)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status AcceptReference(const Claim& claim, const v1::ReferenceResult& result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status AcceptEvaluation(const Claim& claim, const std::string& lease_id, v1::Evaluation evaluation,
                                RunResult* ran) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status AcceptConfirmation(const std::string& worker, v1::Confirmation confirmation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // `told`: without index, configuration and worker. What is none is kept as an inspection that says so.
  absl::Status AcceptInspection(int64_t index, v1::Inspection told, const std::string& worker)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status KeepExtraSample(int64_t index, const std::string& lease_id, const v1::Evaluation& evaluation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Abandon(const TaskEvent& event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ResolveDuplicate(v1::Evaluation* evaluation) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Keeps what memory needs of a stored candidate.
  void Keep(const v1::Candidate& candidate) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Remember(const v1::Candidate& candidate) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Calls `visit` with all candidates, without texts, in order of index. Ends with the first error.
  absl::Status VisitCandidates(const std::function<absl::Status(const v1::Candidate&)>& visit) const;
  // Without texts.
  absl::StatusOr<v1::Candidate> ReadCandidate(int64_t index) const;
  // Tells the loop that a candidate of the search has its evaluation.
  void Announce(int64_t index) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasNews() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Finished() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int64_t NowMs() const { return absl::ToUnixMillis(clock_->Now()); }

  const std::string id_;
  const int64_t number_;
  const std::shared_ptr<const v1::StudySpec> spec_;
  StudyMetrics metrics_;
  Store* const store_;
  Dispatcher* const dispatcher_;
  const Clock* const clock_;

  mutable absl::Mutex mutex_;
  v1::Study view_ ABSL_GUARDED_BY(mutex_);
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool retired_ ABSL_GUARDED_BY(mutex_) = false;
  bool state_changed_ ABSL_GUARDED_BY(mutex_) = false;                       // since the last TakeNews
  std::map<int64_t, v1::Candidate> open_ ABSL_GUARDED_BY(mutex_);            // PENDING or LEASED, by index
  CandidateRecords evaluated_ ABSL_GUARDED_BY(mutex_);                       // all others
  int64_t searched_ ABSL_GUARDED_BY(mutex_) = 0;                             // of both, those of the search
  int64_t carved_ ABSL_GUARDED_BY(mutex_) = 0;                               // of evaluated_
  std::map<int64_t, v1::Configuration> inspecting_ ABSL_GUARDED_BY(mutex_);  // by index of the inspection
  std::vector<v1::Inspection> inspected_ ABSL_GUARDED_BY(mutex_);            // news
  int64_t search_began_ms_ ABSL_GUARDED_BY(mutex_) = 0;                      // 0: it did not
  std::deque<KnownCode> known_ ABSL_GUARDED_BY(mutex_);             // the latest, in order of arrival
  std::deque<int64_t> news_ ABSL_GUARDED_BY(mutex_);                // indices of evaluated ones
  int64_t arrivals_ ABSL_GUARDED_BY(mutex_) = 0;                    // of evaluations
  std::map<std::string, int64_t> doubted_ ABSL_GUARDED_BY(mutex_);  // workers; arrivals before they were
  std::set<int64_t> again_ ABSL_GUARDED_BY(mutex_);                 // of open_, those that were news before
  std::deque<std::shared_ptr<LoopRequest>> requests_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
