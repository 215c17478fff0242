#include "server/study/coordinator.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/time/clock.h"
#include "common/decision/configuration.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/results_alone.h"
#include "server/search/search_options.h"
#include "server/study/study_loop.h"
#include "server/study/study_spec.h"

namespace tune {

Coordinator::Coordinator(const CoordinatorOptions& options, Store* store, const Clock* clock,
                         SpaceFactory make_space, int64_t run, const std::string& lease_key)
    : options_(options),
      store_(store),
      clock_(clock),
      make_space_(std::move(make_space)),
      started_(clock->Now()),
      dispatcher_(options.dispatch, clock, run, lease_key),
      online_(store, clock) {}

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(const CoordinatorOptions& options,
                                                                Store* store, const Clock* clock,
                                                                SpaceFactory make_space) {
  TUNE_ASSIGN_OR_RETURN(const int64_t run, store->BeginRun(clock->Now()));
  TUNE_ASSIGN_OR_RETURN(const std::string lease_key, store->LeaseKey());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> unfinished, store->UnfinishedStudies());
  std::unique_ptr<Coordinator> coordinator(
      new Coordinator(options, store, clock, std::move(make_space), run, lease_key));
  for (const v1::Study& study : unfinished) {
    if (OnlineStudies::IsOne(study)) {
      coordinator->online_.TakeUp(study.id());
      continue;
    }
    absl::MutexLock lock(&coordinator->mutex_);
    TUNE_RETURN_IF_ERROR(Annotate(coordinator->Activate(study).status(), study.id()));
    spdlog::info("study {} ({}) goes on: {}, {} of {} evaluations", study.id(), study.name(),
                 std::string(StudyStateName(study.state())), study.evaluated(), study.budget());
  }
  coordinator->ticker_ = std::thread([raw = coordinator.get()] { raw->Tick(); });
  return coordinator;
}

Coordinator::~Coordinator() { Shutdown(absl::InfiniteDuration()); }

std::shared_ptr<ActiveStudy> Coordinator::Find(const std::string& study_id) const {
  absl::MutexLock lock(&mutex_);
  const auto found = running_.find(study_id);
  return found == running_.end() ? nullptr : found->second.study;
}

absl::StatusOr<std::shared_ptr<ActiveStudy>> Coordinator::Activate(const v1::Study& study) {
  // The program stays in the store: it is large, and the server makes nothing of it.
  TUNE_ASSIGN_OR_RETURN(v1::StudySpec spec, store_->GetSpecWithoutProgram(study.id()));
  auto active = std::make_shared<ActiveStudy>(study, std::make_shared<const v1::StudySpec>(std::move(spec)),
                                              store_, &dispatcher_, clock_);
  TUNE_RETURN_IF_ERROR(active->Recover());
  Running& running = running_[study.id()];
  running.study = active;
  StartLoopLocked(running);
  return active;
}

void Coordinator::StartLoop(const std::string& study_id) {
  absl::MutexLock lock(&mutex_);
  if (const auto found = running_.find(study_id); found != running_.end()) StartLoopLocked(found->second);
}

void Coordinator::StartLoopLocked(Running& running) {
  if (running.loop != nullptr || stopping_ || !running.study->View().has_reference()) return;
  running.done = std::make_unique<std::atomic<bool>>(false);
  running.loop = std::make_unique<std::thread>([this, study = running.study, done = running.done.get()] {
    RunStudyLoop(*study, make_space_, options_.generate);
    done->store(true);
  });
}

void Coordinator::Reap() {
  absl::MutexLock lock(&mutex_);
  for (auto it = running_.begin(); it != running_.end();) {
    Running& running = it->second;
    const bool ended = running.loop == nullptr ? IsFinished(running.study->state()) : running.done->load();
    if (!ended || stopping_) {
      ++it;
      continue;
    }
    if (running.loop != nullptr) {
      running.loop->join();
      running.loop.reset();
    }
    if (running.study->TryRetire()) {
      it = running_.erase(it);
    } else {
      StartLoopLocked(running);  // a replay has come after the loop's last look
      ++it;
    }
  }
}

void Coordinator::Tick() {
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.AwaitWithTimeout(absl::Condition(&stopping_), options_.tick);
      if (stopping_) return;
    }
    LookAtClock();
    Reap();
  }
}

void Coordinator::LookAtClock() {
  absl::MutexLock lock(&look_mutex_);
  const absl::Time now = Clock::Real().Steady();
  LookAfter(now - last_look_);
  last_look_ = now;
}

void Coordinator::LookAfter(absl::Duration pause) {
  dispatcher_.ForgivePause(pause);
  Tell(dispatcher_.Expire());
  online_.StopSilent();
  TellSetAsides();
}

bool Coordinator::Shutdown(absl::Duration limit) {
  std::vector<Running*> loops;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    for (auto& [id, running] : running_) {
      running.study->Stop();
      if (running.loop != nullptr) loops.push_back(&running);
    }
  }
  dispatcher_.Shutdown();
  online_.Shutdown();
  if (ticker_.joinable()) ticker_.join();
  // Nobody adds to or takes from running_ any more.
  const absl::Time deadline = absl::Now() + limit;
  for (Running* running : loops) {
    while (!running->done->load() && absl::Now() < deadline) absl::SleepFor(absl::Milliseconds(5));
    if (!running->done->load()) return false;
    if (running->loop->joinable()) running->loop->join();
  }
  return true;
}

// ---- study_service

absl::StatusOr<v1::Study> Coordinator::Submit(v1::StudySpec spec, const std::string& request_id,
                                              Charge charge) {
  if (!request_id.empty()) {
    const absl::StatusOr<v1::Study> known = store_->FindRequest(request_id);
    if (known.ok()) return GetStudy(known->id());
    if (!absl::IsNotFound(known.status())) return known.status();
  }
  TUNE_RETURN_IF_ERROR(CheckSpec(spec));
  FillDefaults(&spec);
  if (charge == Charge::kOwner) {
    const Usage wants{1, spec.search().evaluations(), static_cast<int64_t>(spec.ByteSizeLong()), 0};
    TUNE_RETURN_IF_ERROR(CheckUse(spec.owner(), wants));
  }
  TUNE_ASSIGN_OR_RETURN(
      const v1::Study study,
      store_->AddStudy(NewStudy(spec, absl::ToUnixMillis(clock_->Now())), spec, request_id));
  absl::MutexLock lock(&mutex_);
  // The same request may have come twice at the same time: then both calls get here with one study.
  if (const auto active = running_.find(study.id()); active != running_.end())
    return active->second.study->View();
  spdlog::info("study {} ({}) of {}: {} evaluations by {}", study.id(), study.name(), study.owner(),
               study.budget(), study.search().strategy());
  TUNE_RETURN_IF_ERROR(Activate(study).status());
  return study;
}

absl::Status Coordinator::CheckUse(const std::string& owner, const Usage& wants) const {
  Usage has;
  TUNE_ASSIGN_OR_RETURN(has.bytes, store_->BytesOf(owner));
  has.device_seconds = absl::ToInt64Seconds(dispatcher_.DeviceTimeOf(owner));
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [id, running] : running_) {
      const std::optional<int64_t> left = running.study->EvaluationsLeft();
      if (!left.has_value() || running.study->spec().owner() != owner) continue;
      ++has.studies;
      has.evaluations += *left;
    }
  }
  return CheckQuotas(options_.quotas, owner, has, wants);
}

absl::StatusOr<v1::Study> Coordinator::Cancel(const std::string& study_id) {
  if (const std::shared_ptr<ActiveStudy> study = Find(study_id); study != nullptr) {
    TUNE_RETURN_IF_ERROR(study->Cancel());
    return study->View();
  }
  TUNE_ASSIGN_OR_RETURN(v1::Study stored, store_->GetStudy(study_id));
  if (OnlineStudies::IsOne(stored) && !IsFinished(stored.state()))
    return absl::FailedPreconditionError(
        absl::StrCat("study ", study_id, " is what an application tries while it runs: end the application"));
  return stored;
}

absl::StatusOr<int64_t> Coordinator::Replay(const v1::ReplayRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const LoopRequest::Answer answer, AskLoop(request.study_id(), {request, {}}));
  return std::get<int64_t>(answer);
}

absl::StatusOr<v1::Explanation> Coordinator::Explain(const v1::ExplainRequest& request) {
  const int64_t index = request.index_plus_one() - 1;
  if (index >= kFirstReplayIndex) {
    return absl::InvalidArgumentError(
        absl::StrCat("candidate ", index, " was asked for by a replay: no search decided about it"));
  }
  if (index < 0) return ExplainSearch(request);
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, GetCandidate(request.study_id(), index));
  TUNE_ASSIGN_OR_RETURN(LoopRequest::Answer answer, AskLoop(request.study_id(), {request, {}}));
  v1::Explanation explanation = std::get<v1::Explanation>(std::move(answer));
  v1::Configuration drawn;
  for (const v1::ExplainedDecision& explained : explanation.decisions()) {
    v1::Decision* decision = drawn.add_decisions();
    decision->set_key(explained.key());
    decision->set_option(explained.options(explained.chosen()).option());
  }
  if (ConfigurationFingerprint(drawn) != ConfigurationFingerprint(candidate.configuration())) {
    explanation.add_notes(
        "the candidate as recorded has other decisions: it was drawn by another version of the search");
  }
  return explanation;
}

absl::StatusOr<v1::Explanation> Coordinator::ExplainSearch(const v1::ExplainRequest& request) {
  absl::StatusOr<v1::Explanation> stored = store_->GetSearchState(request.study_id());
  if (!absl::IsNotFound(stored.status())) return stored;
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, GetStudy(request.study_id()));
  TUNE_ASSIGN_OR_RETURN(LoopRequest::Answer answer, AskLoop(request.study_id(), {request, {}}));
  if (IsFinished(study.state())) {
    StudyChange change;
    change.study_id = request.study_id();
    change.search_state = std::get<v1::Explanation>(answer);
    if (const absl::Status status = store_->Apply(change); !status.ok()) {
      spdlog::warn("study {}: the state of its search is not kept: {}", request.study_id(),
                   std::string(status.message()));
    }
  }
  return std::get<v1::Explanation>(std::move(answer));
}

absl::StatusOr<LoopRequest::Answer> Coordinator::AskLoop(const std::string& study_id,
                                                         const LoopRequest& request) {
  absl::StatusOr<LoopRequest::Answer> answer = absl::AbortedError("");
  // A study that is just being put away is taken up anew.
  for (int i = 0; i < 5 && absl::IsAborted(answer.status()); ++i) {
    std::shared_ptr<ActiveStudy> study = Find(study_id);
    if (study == nullptr) {
      absl::MutexLock lock(&mutex_);
      if (stopping_) return absl::UnavailableError("the server is stopping");
      if (running_.count(study_id) > 0) continue;
      TUNE_ASSIGN_OR_RETURN(const v1::Study stored, store_->GetStudy(study_id));
      if (AreResultsAlone(stored.provenance().format())) {
        return absl::FailedPreconditionError(
            absl::StrCat("study ", study_id, " holds results without code: nothing can be made of it"));
      }
      if (!stored.has_reference()) {
        return absl::FailedPreconditionError(
            absl::StrCat("study ", study_id, " ended without a reference run; submit it again"));
      }
      TUNE_ASSIGN_OR_RETURN(study, Activate(stored));
    }
    answer = study->Ask(request, options_.loop_wait);
  }
  if (absl::IsAborted(answer.status())) return absl::UnavailableError("the server is stopping");
  return answer;
}

absl::StatusOr<bool> Coordinator::RemoveStudy(const std::string& study_id) {
  absl::MutexLock lock(&mutex_);
  if (running_.count(study_id) > 0) return false;
  TUNE_RETURN_IF_ERROR(store_->RemoveStudy(study_id));
  return true;
}

// ---- state_service

absl::StatusOr<v1::ServerInfo> Coordinator::Info() const {
  v1::ServerInfo info;
  TUNE_ASSIGN_OR_RETURN(const int64_t studies, store_->CountStudies());
  TUNE_ASSIGN_OR_RETURN(const int64_t bytes, store_->Size());
  info.set_database(store_->Path());
  info.set_database_bytes(bytes);
  info.set_schema_version(store_->SchemaVersion());
  info.set_started_unix_ms(absl::ToUnixMillis(started_));
  info.set_studies(static_cast<int32_t>(studies));
  info.set_workers(dispatcher_.CountWorkers());
  return info;
}

absl::StatusOr<v1::ListStudiesResponse> Coordinator::ListStudies(
    const v1::ListStudiesRequest& request) const {
  if (request.page_size() < 0) return absl::InvalidArgumentError("page_size is negative; 0 means 100");
  const int size = request.page_size() == 0 ? 100 : std::min(request.page_size(), 1000);
  int64_t before = INT64_MAX;
  if (!request.page_token().empty()) {
    const absl::StatusOr<int64_t> token = StudyNumberOf(request.page_token());
    if (!token.ok()) return absl::InvalidArgumentError("page_token is not one that this server gave");
    before = *token;
  }
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::Study> studies, store_->ListStudies(before, size + 1));
  v1::ListStudiesResponse response;
  if (static_cast<int>(studies.size()) > size) {
    studies.pop_back();
    response.set_next_page_token(studies.back().id());
  }
  for (v1::Study& study : studies) *response.add_studies() = std::move(study);
  return response;
}

absl::StatusOr<v1::Study> Coordinator::GetStudy(const std::string& study_id) const {
  if (const std::shared_ptr<ActiveStudy> study = Find(study_id); study != nullptr) return study->View();
  return store_->GetStudy(study_id);
}

absl::StatusOr<StudyWatch> Coordinator::Watch(const std::string& study_id) const {
  if (std::shared_ptr<const ActiveStudy> study = Find(study_id); study != nullptr) {
    return StudyWatch(std::move(study));
  }
  TUNE_ASSIGN_OR_RETURN(v1::Study stored, store_->GetStudy(study_id));
  const OnlineStudies* const online = OnlineStudies::IsOne(stored) ? &online_ : nullptr;
  return StudyWatch(std::move(stored), online);
}

absl::StatusOr<v1::ListCandidatesResponse> Coordinator::ListCandidates(
    const v1::ListCandidatesRequest& request) const {
  if (request.page_size() < 0 || request.first_index() < 0) {
    return absl::InvalidArgumentError("page_size and first_index must not be negative");
  }
  const int64_t size = request.page_size() == 0 ? 1000 : std::min(request.page_size(), 10'000);
  TUNE_ASSIGN_OR_RETURN(std::vector<StoredCandidate> stored,
                        store_->ListCandidates(request.study_id(), {request.first_index(), size + 1, false}));
  v1::ListCandidatesResponse response;
  response.set_more(static_cast<int64_t>(stored.size()) > size);
  if (response.more()) stored.pop_back();
  const std::shared_ptr<ActiveStudy> study = Find(request.study_id());
  for (StoredCandidate& entry : stored) {
    if (study != nullptr) study->Overlay(&entry.candidate);
    *response.add_candidates() = std::move(entry.candidate);
  }
  return response;
}

absl::StatusOr<v1::Candidate> Coordinator::GetCandidate(const std::string& study_id, int64_t index) const {
  TUNE_ASSIGN_OR_RETURN(StoredCandidate stored, store_->GetCandidate(study_id, index));
  if (const std::shared_ptr<ActiveStudy> study = Find(study_id); study != nullptr) {
    study->Overlay(&stored.candidate);
  }
  return stored.candidate;
}

absl::StatusOr<v1::StudySpec> Coordinator::GetSpec(const std::string& study_id) const {
  return store_->GetSpec(study_id);
}

}  // namespace tune
