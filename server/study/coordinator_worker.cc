// The parts of Coordinator that serve workers.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/time/clock.h"
#include "server/study/coordinator.h"
#include "server/study/late_result.h"
#include "server/study/worker_claims.h"

namespace tune {

absl::StatusOr<Synchronization> Coordinator::Synchronize(v1::SynchronizeRequest request) {
  Synchronization call(this, std::move(request));
  // 1. Who calls, which leases it holds and gives back.
  std::vector<TaskEvent> events;
  const absl::StatusOr<CallEntry> entry = dispatcher_.Enter(call.request_, &events);
  Tell(events);
  TUNE_RETURN_IF_ERROR(entry.status());
  call.call_ = entry->call;
  for (const std::string& lease_id : entry->cancelled) call.response_.add_cancelled(lease_id);
  // 2. Results: stored first, then acknowledged.
  call.urgent_ = !entry->cancelled.empty() || call.request_.results_size() > 0;
  for (const v1::LeaseResult& result : call.request_.results()) {
    AcceptResult(call.request_.worker(), result, &call.response_);
  }
  call.request_.clear_results();  // large, and the call may wait for long
  // 3. New leases; when there is nothing to say, the call waits for some.
  const absl::Duration longest =
      call.request_.active().empty() ? options_.dispatch.longest_wait : options_.dispatch.busy_interval;
  call.deadline_ =
      absl::Now() + std::clamp(absl::Milliseconds(call.request_.wait_ms()), absl::ZeroDuration(), longest);
  return call;
}

void Coordinator::AddLeases(const std::string& worker, uint64_t call, int free_slots,
                            v1::SynchronizeResponse* response) {
  for (const Grant& grant : dispatcher_.GrantLeases(worker, call, free_slots)) {
    const std::shared_ptr<ActiveStudy> study = Find(StudyIdOf(grant.task.study));
    absl::StatusOr<v1::Lease> lease = absl::NotFoundError("the study has gone");
    if (study != nullptr) lease = study->Describe(grant);
    if (lease.ok()) {
      *response->add_leases() = *std::move(lease);
    } else {
      if (!absl::IsNotFound(lease.status())) {
        spdlog::error("lease {} is taken back: {}", grant.lease_id, std::string(lease.status().message()));
      }
      dispatcher_.Withdraw(grant.lease_id);
    }
  }
}

// Stores the result and acknowledges it; a result for a lease that the worker's session was not given is told
// to be dropped; one that cannot be stored is sent again.
void Coordinator::AcceptResult(const std::string& worker, const v1::LeaseResult& result,
                               v1::SynchronizeResponse* response) {
  std::vector<TaskEvent> events;
  const Claim claim = dispatcher_.ClaimResult(worker, result, &events);
  Tell(events);
  if (!claim.granted) {
    spdlog::warn("worker {} sent a result for a lease that its session was not given; refused", worker);
    response->add_cancelled(result.lease_id());
    return;
  }
  if (StoreResult(claim, worker, result)) response->add_acknowledged(result.lease_id());
}

// Whether the result may be acknowledged.
bool Coordinator::StoreResult(const Claim& claim, const std::string& worker, const v1::LeaseResult& result) {
  // What a worker stopped by itself was not evaluated, nor what was killed under its hands.
  const v1::Outcome told = result.evaluate().evaluation().outcome();
  const bool given_up = told == v1::CANCELLED || told == v1::WORKER_LOST;
  if (claim.current && given_up) {
    std::vector<TaskEvent> events;
    told == v1::WORKER_LOST ? dispatcher_.Lose(result.lease_id(), &events)
                            : dispatcher_.Withdraw(result.lease_id());
    Tell(events);
    return true;
  }
  const std::string study_id = StudyIdOf(claim.task.study);
  const std::shared_ptr<ActiveStudy> study = Find(study_id);
  RunResult ran;
  const absl::Status status = given_up           ? absl::OkStatus()
                              : study == nullptr ? LateResult(claim, result, worker)
                                                 : study->Accept(claim, worker, result, &ran);
  if (!status.ok()) {
    spdlog::error("the result of {} is not stored, worker {} will send it again: {}", result.lease_id(),
                  worker, std::string(status.message()));
    if (claim.current) dispatcher_.Unclaim(result.lease_id());
    return false;
  }
  if (claim.current) {
    dispatcher_.Complete(worker, result.lease_id(), ran);
    TellSetAsides();
  }
  StartLoop(study_id);
  return true;
}

// Of a study that has ended.
absl::Status Coordinator::LateResult(const Claim& claim, const v1::LeaseResult& result,
                                     const std::string& worker) {
  const bool evaluation = claim.task.kind == TaskKind::kEvaluate || claim.task.kind == TaskKind::kProbe;
  if (!evaluation || !result.has_evaluate()) return absl::OkStatus();
  ExtraSample sample{claim.task.index, result.lease_id(), clock_->Now(), result.evaluate().evaluation()};
  sample.evaluation.set_worker(worker);
  CheckClaims(&sample.evaluation);
  return KeepLateResult(store_, StudyIdOf(claim.task.study), sample);
}

void Coordinator::Tell(const std::vector<TaskEvent>& events) {
  for (const TaskEvent& event : events) {
    if (const std::shared_ptr<ActiveStudy> study = Find(StudyIdOf(event.task.study)); study != nullptr) {
      study->Tell(event);
    }
  }
}

void Coordinator::TellSetAsides() {
  const std::vector<Dispatcher::SetAsideNote> notes = dispatcher_.TakeSetAsides();
  if (notes.empty()) return;
  std::vector<std::shared_ptr<ActiveStudy>> studies;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [id, running] : running_) studies.push_back(running.study);
  }
  for (const std::shared_ptr<ActiveStudy>& study : studies)
    for (const Dispatcher::SetAsideNote& note : notes) study->Doubt(note.worker, note.kind);
}

absl::StatusOr<v1::StudySetup> Coordinator::GetStudySetup(const std::string& study_id) {
  const std::shared_ptr<ActiveStudy> study = Find(study_id);
  if (study == nullptr) {
    return absl::NotFoundError(absl::StrCat("study ", study_id, " has ended or never was: drop its leases"));
  }
  return study->Setup();
}

}  // namespace tune
