#include "server/study/active_study.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "common/evaluation/outcome.h"
#include "server/search/search_options.h"

namespace tune {
namespace {

bool IsOpen(const v1::Candidate& candidate) {
  return candidate.state() == v1::PENDING || candidate.state() == v1::LEASED;
}

}  // namespace

ActiveStudy::ActiveStudy(const v1::Study& study, std::shared_ptr<const v1::StudySpec> spec, Store* store,
                         Dispatcher* dispatcher, const Clock* clock)
    : id_(study.id()),
      number_(StudyNumberOf(study.id()).value()),
      spec_(std::move(spec)),
      store_(store),
      dispatcher_(dispatcher),
      clock_(clock),
      view_(study) {}

absl::Status ActiveStudy::Recover() {
  TUNE_ASSIGN_OR_RETURN(const std::vector<StoredCandidate> stored, store_->ListCandidates(id_, {}));
  Lock lock(&mutex_);
  std::vector<const v1::Candidate*> by_time;
  for (const StoredCandidate& entry : stored) {
    candidates_[entry.candidate.index()] = entry.candidate;
    if (!IsOpen(entry.candidate)) by_time.push_back(&entry.candidate);
    if (CountsAsEvaluated(entry.candidate)) evaluated_.push_back(entry.candidate.index());
  }
  std::stable_sort(by_time.begin(), by_time.end(), [](const v1::Candidate* a, const v1::Candidate* b) {
    return a->evaluated_unix_ms() < b->evaluated_unix_ms();
  });
  for (const v1::Candidate* candidate : by_time) Remember(*candidate);
  const bool bound = view_.has_reference();
  dispatcher_->AddStudy(number_, view_.target(), bound ? view_.device().model() : "");
  if (view_.best_index() >= 0) dispatcher_->SetKnownGood(number_, view_.best_index());
  if (!bound && !Finished()) dispatcher_->AddTask({number_, TaskKind::kReference, 0});
  if (view_.state() == v1::CONFIRMING) dispatcher_->AddTask({number_, TaskKind::kConfirm, 0});
  for (const auto& [index, candidate] : candidates_) {
    if (!IsOpen(candidate)) continue;
    dispatcher_->AddTask({number_, TaskKind::kEvaluate, index}, candidate.attempts(), candidate.lost());
  }
  return absl::OkStatus();
}

v1::Study ActiveStudy::View() const {
  Lock lock(&mutex_);
  return view_;
}

// ---- for clients

bool ActiveStudy::WaitForView(int64_t* version, absl::Duration limit, v1::Study* view) const {
  const int64_t seen = *version;
  const auto changed = [this, seen]()
                           ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return version_ > seen || stopping_; };
  Lock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(&changed), limit);
  if (version_ <= seen) return false;
  *version = version_;
  *view = view_;
  return true;
}

absl::Status ActiveStudy::Cancel() {
  Lock lock(&mutex_);
  if (Finished()) return absl::OkStatus();
  return Finish(view_, v1::STOPPED, {});
}

absl::StatusOr<LoopRequest::Answer> ActiveStudy::Ask(const LoopRequest& wanted, absl::Duration limit) {
  Lock lock(&mutex_);
  if (!view_.has_reference()) {
    return absl::FailedPreconditionError(absl::StrCat("study ", id_,
                                                      " has no reference run yet: wait until `tunectl show ",
                                                      id_, "` says searching, then ask again"));
  }
  if (retired_ || stopping_) return absl::AbortedError("the study is being put away");
  auto request = std::make_shared<LoopRequest>(wanted);
  requests_.push_back(request);
  const auto answered = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return request->answer.has_value() || stopping_;
  };
  mutex_.AwaitWithTimeout(absl::Condition(&answered), limit);
  if (request->answer.has_value()) return *request->answer;
  requests_.erase(std::remove(requests_.begin(), requests_.end(), request), requests_.end());
  return absl::UnavailableError(absl::StrCat("study ", id_, " was busy with its schedules for ",
                                             absl::FormatDuration(limit), "; ask again later"));
}

void ActiveStudy::Overlay(v1::Candidate* candidate) const {
  Lock lock(&mutex_);
  const auto found = candidates_.find(candidate->index());
  if (found == candidates_.end()) return;
  candidate->set_state(found->second.state());
  candidate->set_attempts(found->second.attempts());
}

v1::StudySetup ActiveStudy::Setup() const {
  v1::StudySetup setup;
  setup.set_study_id(id_);
  *setup.mutable_scop() = spec_->scop();
  *setup.mutable_program() = spec_->program();
  *setup.mutable_limits() = spec_->limits();
  *setup.mutable_tolerance() = spec_->tolerance();
  setup.set_count_all(spec_->search().count_all());
  setup.set_generator(spec_->generator());
  setup.set_seed(spec_->search().seed());
  Lock lock(&mutex_);
  setup.set_target(view_.target());
  if (view_.has_reference()) {
    *setup.mutable_reference() = view_.reference();
    *setup.mutable_device() = view_.device();
  }
  return setup;
}

// ---- for the loop

bool ActiveStudy::HasNews() const {
  return !evaluated_.empty() || !requests_.empty() || state_changed_ || stopping_;
}

ActiveStudy::News ActiveStudy::TakeNews(bool wait) {
  Lock lock(&mutex_);
  if (wait) mutex_.Await(absl::Condition(this, &ActiveStudy::HasNews));
  News news;
  for (const int64_t index : evaluated_) news.evaluated.push_back(candidates_.at(index));
  news.requests.assign(requests_.begin(), requests_.end());
  evaluated_.clear();
  requests_.clear();
  state_changed_ = false;
  return news;
}

v1::StudyState ActiveStudy::state() const {
  Lock lock(&mutex_);
  return view_.state();
}

bool ActiveStudy::stopping() const {
  Lock lock(&mutex_);
  return stopping_;
}

int64_t ActiveStudy::CountSearched() const {
  Lock lock(&mutex_);
  return std::distance(candidates_.begin(), candidates_.lower_bound(kFirstReplayIndex));
}

int64_t ActiveStudy::CountOutstanding() const {
  Lock lock(&mutex_);
  return std::count_if(candidates_.begin(), candidates_.lower_bound(kFirstReplayIndex),
                       [](const auto& entry) { return IsOpen(entry.second); });
}

int64_t ActiveStudy::CountOutstandingReplays() const {
  Lock lock(&mutex_);
  return std::count_if(candidates_.lower_bound(kFirstReplayIndex), candidates_.end(),
                       [](const auto& entry) { return IsOpen(entry.second); });
}

absl::Status ActiveStudy::AddCandidate(v1::Candidate candidate, const v1::Evaluation* evaluation) {
  Lock lock(&mutex_);
  if (Finished()) return absl::CancelledError("the study has ended");
  candidate.set_created_unix_ms(NowMs());
  candidate.set_state(v1::PENDING);
  v1::Study next = view_;
  if (evaluation != nullptr) {
    candidate.set_state(v1::EVALUATED);
    candidate.set_evaluated_unix_ms(candidate.created_unix_ms());
    *candidate.mutable_evaluation() = *evaluation;
    CandidateMap after = candidates_;
    after[candidate.index()] = candidate;
    Summarize(after, &next);
  }
  TUNE_RETURN_IF_ERROR(Commit(next, {{candidate, ""}}));
  if (evaluation != nullptr) {
    evaluated_.push_back(candidate.index());
  } else {
    dispatcher_->AddTask({number_, TaskKind::kEvaluate, candidate.index()});
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> ActiveStudy::AddReplay(v1::Candidate candidate) {
  Lock lock(&mutex_);
  const int64_t last = candidates_.empty() ? 0 : candidates_.rbegin()->first;
  candidate.set_index(std::max(kFirstReplayIndex, last + 1));
  candidate.set_created_unix_ms(NowMs());
  candidate.set_state(v1::PENDING);
  TUNE_RETURN_IF_ERROR(Commit(view_, {{candidate, ""}}));
  dispatcher_->AddTask({number_, TaskKind::kEvaluate, candidate.index()});
  return candidate.index();
}

void ActiveStudy::Answer(const std::shared_ptr<LoopRequest>& request,
                         absl::StatusOr<LoopRequest::Answer> answer) {
  Lock lock(&mutex_);
  request->answer = std::move(answer);
}

std::vector<v1::Candidate> ActiveStudy::EvaluatedBelow(int64_t end) const {
  Lock lock(&mutex_);
  std::vector<v1::Candidate> evaluated;
  for (const auto& [index, candidate] : candidates_) {
    if (index < end && index < kFirstReplayIndex && candidate.has_evaluation())
      evaluated.push_back(candidate);
  }
  return evaluated;
}

absl::Status ActiveStudy::BeginConfirmation(const std::string& space_note) {
  Lock lock(&mutex_);
  if (view_.state() != v1::SEARCHING) return absl::OkStatus();
  v1::Study next = view_;
  next.set_space_note(space_note);
  if (ChooseForConfirmation(candidates_, spec_->search().confirm()).empty()) {
    next.add_warnings("no candidate was correct: `tunectl logs` shows why each one failed");
    const auto differs = [](const auto& entry) {
      return entry.second.evaluation().outcome() == v1::CORRECTNESS;
    };
    if (std::any_of(candidates_.begin(), candidates_.end(), differs)) {
      next.add_warnings(
          "outputs differ from the unmodified program's: where that is only because sums are taken in "
          "another order, allow more with --float-tolerance or --double-tolerance");
    }
    return Finish(next, v1::DONE, {});
  }
  next.set_state(v1::CONFIRMING);
  TUNE_RETURN_IF_ERROR(Commit(next, {}));
  dispatcher_->AddTask({number_, TaskKind::kConfirm, 0});
  return absl::OkStatus();
}

absl::Status ActiveStudy::Fail(const std::string& failure, const std::string& log) {
  Lock lock(&mutex_);
  if (Finished()) return absl::OkStatus();
  v1::Study next = view_;
  next.set_failure(failure);
  next.set_failure_log(log);
  return Finish(next, v1::FAILED, {});
}

void ActiveStudy::Stop() {
  Lock lock(&mutex_);
  stopping_ = true;
}

bool ActiveStudy::TryRetire() {
  Lock lock(&mutex_);
  if (!stopping_ && !requests_.empty()) return false;
  retired_ = true;
  if (!stopping_) dispatcher_->RemoveStudy(number_);
  return true;
}

// ---- changes

bool ActiveStudy::Finished() const { return IsFinished(view_.state()); }

absl::Status ActiveStudy::Commit(v1::Study next, std::vector<StoredCandidate> candidates) {
  StudyChange change;
  change.study_id = id_;
  change.study = next;
  change.candidates = candidates;
  TUNE_RETURN_IF_ERROR(store_->Apply(change));
  state_changed_ |= next.state() != view_.state();
  view_ = std::move(next);
  ++version_;
  for (StoredCandidate& stored : candidates) {
    if (stored.candidate.has_evaluation()) {
      stored.candidate.mutable_evaluation()->clear_log();
      stored.candidate.mutable_evaluation()->clear_code();
      stored.candidate.mutable_evaluation()->clear_device_file();
      stored.candidate.mutable_evaluation()->clear_findings();
    }
    candidates_[stored.candidate.index()] = std::move(stored.candidate);
  }
  return absl::OkStatus();
}

// Candidates that are open when a study is stopped or fails will never be evaluated; a study that is DONE
// has open replays only, which go on.
absl::Status ActiveStudy::Finish(v1::Study next, v1::StudyState state,
                                 std::vector<StoredCandidate> candidates) {
  next.set_state(state);
  next.set_finished_unix_ms(NowMs());
  CandidateMap after = candidates_;
  for (const auto& [index, candidate] : candidates_) {
    if (state == v1::DONE || !IsOpen(candidate)) continue;
    StoredCandidate stored{candidate, ""};
    stored.candidate.set_state(v1::EVALUATED);
    stored.candidate.set_evaluated_unix_ms(next.finished_unix_ms());
    stored.candidate.mutable_evaluation()->set_outcome(v1::CANCELLED);
    stored.candidate.mutable_evaluation()->set_message("the study ended before this candidate was evaluated");
    after[index] = stored.candidate;
    candidates.push_back(std::move(stored));
  }
  if (state != v1::DONE) Summarize(after, &next);
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), std::move(candidates)));
  if (state != v1::DONE) dispatcher_->RemoveStudy(number_);
  spdlog::info("study {} ({}): {}{}{}", id_, view_.name(), std::string(StudyStateName(state)),
               view_.failure().empty() ? "" : ": ", view_.failure());
  return absl::OkStatus();
}

// What later leases should know of an evaluated candidate.
void ActiveStudy::Remember(const v1::Candidate& candidate) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  if (candidate.origin() != v1::SEARCH || evaluation.code_fingerprint().empty() ||
      evaluation.duplicate_of_plus_one() != 0 || evaluation.outcome() == v1::WORKER_LOST ||
      evaluation.outcome() == v1::CANCELLED) {
    return;
  }
  v1::KnownCode& known = known_.emplace_back();
  known.set_code_fingerprint(evaluation.code_fingerprint());
  known.set_candidate_index(candidate.index());
}

}  // namespace tune
