#include "server/study/active_study.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/base/fingerprint.h"
#include "common/device/device_facts.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/outcome.h"
#include "server/search/search_options.h"

namespace tune {
namespace {

constexpr int64_t kPage = 500;  // candidates read from the store at once
constexpr size_t kMaxKnownCodes = 4096;

bool IsOpen(const v1::Candidate& candidate) {
  return candidate.state() == v1::PENDING || candidate.state() == v1::LEASED;
}

// What later leases should know of an evaluated candidate.
std::optional<KnownCode> KnownCodeOf(const v1::Candidate& candidate) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  if (candidate.origin() != v1::SEARCH || evaluation.code_fingerprint().empty() ||
      evaluation.duplicate_of_plus_one() != 0 || evaluation.outcome() == v1::WORKER_LOST ||
      !IsOfARun(evaluation.outcome())) {
    return std::nullopt;
  }
  return KnownCode{FirstBits(evaluation.code_fingerprint()), candidate.index()};
}

// Limits of whole tasks, from those of the programs that run in them. The first task of a study on a worker
// runs the unmodified program, twice where arrays are recorded; a confirmation measures the chosen candidates
// and the original region, and runs the whole program with and without the tuned region in turns.
StudyTraits TraitsOf(const v1::Study& study, const v1::StudySpec& spec) {
  constexpr int kProgramRuns = 12;
  const absl::Duration compile = absl::Seconds(spec.limits().compile_seconds());
  const absl::Duration reference = absl::Seconds(spec.limits().reference_seconds());
  const absl::Duration evaluation = absl::Seconds(spec.limits().evaluation_seconds());
  StudyTraits traits;
  traits.target = study.target();
  if (study.has_reference()) traits.model = study.device().model();
  traits.needs_ppcg = spec.generator() == kPpcgGenerator;
  traits.times_of_host = spec.generator() == kSharedGenerator;
  if (spec.rounding() == v1::ROUNDING_TF32X3) traits.compute_capability = kTf32ComputeCapability;
  traits.owner = study.owner();
  traits.reference_limit = 2 * (compile + reference);
  traits.evaluation_limit = traits.reference_limit + compile + evaluation;
  traits.confirmation_limit = traits.evaluation_limit +
                              (spec.search().confirm() + 2) * (compile + evaluation) +
                              kProgramRuns * reference;
  return traits;
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
      view_(study) {
  absl::StatusOr<StudyMetrics> metrics = StudyMetrics::Make(*spec_);
  if (metrics.ok()) metrics_ = *std::move(metrics);
}

absl::Status ActiveStudy::VisitCandidates(
    const std::function<absl::Status(const v1::Candidate&)>& visit) const {
  CandidatePage page;
  int64_t first = 0;
  do {
    TUNE_RETURN_IF_ERROR(store_->ReadCandidates(id_, first, kPage, &page));
    for (size_t i = 0; i < page.size(); ++i) TUNE_RETURN_IF_ERROR(visit(page[i]));
    if (page.size() > 0) first = page[page.size() - 1].index() + 1;
  } while (static_cast<int64_t>(page.size()) == kPage);
  return absl::OkStatus();
}

absl::Status ActiveStudy::Recover() {
  Lock lock(&mutex_);
  std::vector<std::pair<int64_t, KnownCode>> known;  // time of arrival first
  TUNE_RETURN_IF_ERROR(VisitCandidates([&](const v1::Candidate& candidate) {
    mutex_.AssertHeld();
    if (const auto code = KnownCodeOf(candidate)) known.emplace_back(candidate.evaluated_unix_ms(), *code);
    const bool is_news = CountsAsEvaluated(candidate) || candidate.evaluation().outcome() == v1::CARVED;
    if (!Finished() && is_news) news_.push_back(candidate.index());
    Keep(candidate);
    return absl::OkStatus();
  }));
  std::stable_sort(known.begin(), known.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const size_t late = known.size() - std::min(known.size(), kMaxKnownCodes);
  for (size_t i = late; i < known.size(); ++i) known_.push_back(known[i].second);
  const bool bound = view_.has_reference();
  dispatcher_->AddStudy(number_, TraitsOf(view_, *spec_));
  if (view_.best_index() >= 0) dispatcher_->SetKnownGood(number_, view_.best_index());
  if (!bound && !Finished()) dispatcher_->AddTask({number_, TaskKind::kReference, 0});
  if (view_.state() == v1::CONFIRMING) dispatcher_->AddTask({number_, TaskKind::kConfirm, 0});
  for (const auto& [index, candidate] : open_) {
    dispatcher_->AddTask({number_, TaskKind::kEvaluate, index}, candidate.attempts(), candidate.lost());
  }
  return absl::OkStatus();
}

v1::Study ActiveStudy::View() const {
  Lock lock(&mutex_);
  return view_;
}

std::optional<int64_t> ActiveStudy::EvaluationsLeft() const {
  Lock lock(&mutex_);
  if (Finished()) return std::nullopt;
  return view_.budget() - view_.evaluated();
}

// ---- for clients

std::optional<v1::Study> ActiveStudy::ViewAfter(int64_t* version) const {
  Lock lock(&mutex_);
  if (version_ <= *version) return std::nullopt;
  *version = version_;
  return view_;
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
  const auto found = open_.find(candidate->index());
  if (found == open_.end()) return;
  candidate->set_state(found->second.state());
  candidate->set_attempts(found->second.attempts());
}

v1::StudySetup ActiveStudy::Setup() const {
  v1::StudySetup setup;
  setup.set_study_id(id_);
  if (spec_->has_scop()) *setup.mutable_scop() = spec_->scop();
  if (spec_->has_kernel()) *setup.mutable_kernel() = spec_->kernel();
  *setup.mutable_limits() = spec_->limits();
  *setup.mutable_tolerance() = spec_->tolerance();
  setup.set_count_all(spec_->search().count_all());
  setup.set_energy(NeedsEnergy(*spec_));
  setup.set_generator(spec_->generator());
  setup.set_rounding(spec_->rounding());
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
  return !news_.empty() || !requests_.empty() || !inspected_.empty() || state_changed_ || stopping_;
}

// What has an evaluation changes no more: it is read without the lock.
absl::Status ActiveStudy::TakeNews(bool wait, News* news) {
  int64_t first = 0;
  size_t count = 0;
  {
    Lock lock(&mutex_);
    if (wait) mutex_.Await(absl::Condition(this, &ActiveStudy::HasNews));
    if (!news_.empty()) first = news_[0];
    while (count < std::min<size_t>(kPage, news_.size()) &&
           news_[count] == first + static_cast<int64_t>(count))
      ++count;
  }
  TUNE_RETURN_IF_ERROR(store_->ReadCandidates(id_, first, count, &news->evaluated));
  if (news->evaluated.size() != count || (count > 0 && news->evaluated[0].index() != first)) {
    return absl::DataLossError(absl::StrCat("candidate ", id_, "/", first, " has gone from the store"));
  }
  Lock lock(&mutex_);
  news_.erase(news_.begin(), news_.begin() + count);
  news->more = !news_.empty();
  news->requests.assign(requests_.begin(), requests_.end());
  requests_.clear();
  news->inspected = std::exchange(inspected_, {});
  state_changed_ = false;
  return absl::OkStatus();
}

std::vector<std::shared_ptr<LoopRequest>> ActiveStudy::TakeRequests() {
  Lock lock(&mutex_);
  std::vector<std::shared_ptr<LoopRequest>> requests(requests_.begin(), requests_.end());
  requests_.clear();
  return requests;
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
  return searched_;
}

int64_t ActiveStudy::CountOutstanding() const {
  Lock lock(&mutex_);
  return std::distance(open_.begin(), open_.lower_bound(kFirstReplayIndex));
}

int64_t ActiveStudy::CountOutstandingReplays() const {
  Lock lock(&mutex_);
  return std::distance(open_.lower_bound(kFirstReplayIndex), open_.end());
}

absl::Duration ActiveStudy::SearchTime() const {
  Lock lock(&mutex_);
  return search_began_ms_ == 0 ? absl::ZeroDuration() : absl::Milliseconds(NowMs() - search_began_ms_);
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
    CountEvaluation(candidate, &next);
  }
  TUNE_RETURN_IF_ERROR(Commit(next, {{candidate, ""}}));
  if (evaluation != nullptr) {
    news_.push_back(candidate.index());
  } else {
    dispatcher_->AddTask({number_, TaskKind::kEvaluate, candidate.index()});
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> ActiveStudy::AddReplay(v1::Candidate candidate) {
  Lock lock(&mutex_);
  int64_t last = kFirstReplayIndex - 1;
  if (!open_.empty()) last = std::max(last, open_.rbegin()->first);
  if (!evaluated_.empty()) last = std::max(last, evaluated_.rbegin()->first);
  candidate.set_index(last + 1);
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

absl::Status ActiveStudy::VisitEvaluated(
    int64_t end, const std::function<absl::Status(const v1::Candidate&)>& visit) const {
  const int64_t last = std::min(end, kFirstReplayIndex) - 1;
  const absl::Status status = VisitCandidates([&](const v1::Candidate& candidate) {
    if (candidate.index() > last) return absl::OutOfRangeError("");
    return candidate.has_evaluation() ? visit(candidate) : absl::OkStatus();
  });
  return absl::IsOutOfRange(status) ? absl::OkStatus() : status;
}

absl::Status ActiveStudy::BeginConfirmation(const std::string& space_note) {
  Lock lock(&mutex_);
  if (view_.state() != v1::SEARCHING) return absl::OkStatus();
  v1::Study next = view_;
  next.set_space_note(space_note);
  if (ChooseForConfirmation(evaluated_, spec_->search().confirm()).empty()) {
    next.add_warnings("no candidate was correct: `tunectl logs` shows why each one failed");
    const auto differs = [](const auto& entry) { return entry.second.outcome == v1::CORRECTNESS; };
    if (std::any_of(evaluated_.begin(), evaluated_.end(), differs)) {
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

absl::Status ActiveStudy::KeepSearchState(v1::Explanation state) {
  StudyChange change;
  change.study_id = id_;
  change.search_state = std::move(state);
  return store_->Apply(change);
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

absl::Status ActiveStudy::Commit(v1::Study next, std::vector<StoredCandidate> candidates,
                                 std::vector<v1::Inspection> inspections) {
  StudyChange change;
  change.study_id = id_;
  change.study = next;
  change.candidates = candidates;
  change.inspections = std::move(inspections);
  TUNE_RETURN_IF_ERROR(store_->Apply(change));
  state_changed_ |= next.state() != view_.state();
  view_ = std::move(next);
  ++version_;
  for (const StoredCandidate& stored : candidates) Keep(stored.candidate);
  return absl::OkStatus();
}

void ActiveStudy::Keep(const v1::Candidate& candidate) {
  if (candidate.index() == 0) search_began_ms_ = candidate.created_unix_ms();
  const int64_t index = candidate.index();
  const bool known = open_.count(index) > 0 || evaluated_.count(index) > 0;
  if (!known && index < kFirstReplayIndex) ++searched_;
  if (IsOpen(candidate)) {
    evaluated_.erase(index);
    open_[index] = candidate;
  } else {
    open_.erase(index);
    carved_ += candidate.evaluation().outcome() == v1::CARVED;
    evaluated_[index] = RecordOf(spec_->search(), candidate);
    evaluated_[index].arrival = arrivals_++;
  }
}

// Candidates that are open when a study is stopped or fails will never be evaluated; a study that is DONE
// has open replays only, which go on.
absl::Status ActiveStudy::Finish(v1::Study next, v1::StudyState state,
                                 std::vector<StoredCandidate> candidates) {
  next.set_state(state);
  next.set_finished_unix_ms(NowMs());
  for (const auto& [index, candidate] : open_) {
    if (state == v1::DONE) break;
    StoredCandidate stored{candidate, ""};
    stored.candidate.set_state(v1::EVALUATED);
    stored.candidate.set_evaluated_unix_ms(next.finished_unix_ms());
    stored.candidate.mutable_evaluation()->set_outcome(v1::CANCELLED);
    stored.candidate.mutable_evaluation()->set_message("the study ended before this candidate was evaluated");
    CountEvaluation(stored.candidate, &next);
    candidates.push_back(std::move(stored));
  }
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), std::move(candidates)));
  inspecting_.clear();
  if (state != v1::DONE) dispatcher_->RemoveStudy(number_);
  spdlog::info("study {} ({}): {}{}{}", id_, view_.name(), std::string(StudyStateName(state)),
               view_.failure().empty() ? "" : ": ", view_.failure());
  return absl::OkStatus();
}

void ActiveStudy::Remember(const v1::Candidate& candidate) {
  if (const std::optional<KnownCode> known = KnownCodeOf(candidate)) known_.push_back(*known);
  if (known_.size() > kMaxKnownCodes) known_.pop_front();
}

absl::StatusOr<v1::Candidate> ActiveStudy::ReadCandidate(int64_t index) const {
  CandidatePage found;
  TUNE_RETURN_IF_ERROR(store_->ReadCandidates(id_, index, 1, &found));
  if (found.size() == 0 || found[0].index() != index) {
    return absl::DataLossError(absl::StrCat("candidate ", id_, "/", index, " has gone from the store"));
  }
  return found[0];
}

}  // namespace tune
