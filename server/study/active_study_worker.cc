// The parts of ActiveStudy that deal with workers: leases and results.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>

#include "common/evaluation/outcome.h"
#include "server/study/active_study.h"
#include "server/study/late_result.h"
#include "server/study/worker_claims.h"

namespace tune {
namespace {

RunResult ResultOf(const v1::Evaluation& evaluation) {
  return {evaluation.outcome(), evaluation.message(), evaluation.measurement().median()};
}

}  // namespace

absl::StatusOr<v1::Lease> ActiveStudy::Describe(const Grant& grant) {
  Lock lock(&mutex_);
  v1::Lease lease;
  lease.set_lease_id(grant.lease_id);
  lease.set_study_id(id_);
  lease.set_attempt(static_cast<int32_t>(grant.attempt));
  lease.set_expires_in_ms(absl::ToInt64Milliseconds(dispatcher_->options().lease));
  const absl::Status gone = absl::NotFoundError("the task has gone");
  switch (grant.task.kind) {
    case TaskKind::kReference: {
      if (view_.has_reference() || Finished()) return gone;
      lease.mutable_reference();
      if (view_.state() == v1::REFERENCE) return lease;
      v1::Study next = view_;
      next.set_state(v1::REFERENCE);
      TUNE_RETURN_IF_ERROR(Commit(std::move(next), {}));
      return lease;
    }
    case TaskKind::kConfirm:
      if (view_.state() != v1::CONFIRMING) return gone;
      for (const int64_t index : ChooseForConfirmation(evaluated_, spec_->search().confirm())) {
        TUNE_ASSIGN_OR_RETURN(v1::Candidate chosen, ReadCandidate(index));
        v1::ConfirmCandidate* candidate = lease.mutable_confirm()->add_candidates();
        candidate->set_index(index);
        *candidate->mutable_configuration() = std::move(*chosen.mutable_configuration());
      }
      return lease;
    case TaskKind::kInspect: {
      const auto found = inspecting_.find(grant.task.index);
      if (found == inspecting_.end()) return gone;
      lease.mutable_inspect()->set_inspection_index(grant.task.index);
      *lease.mutable_inspect()->mutable_configuration() = found->second;
      return lease;
    }
    case TaskKind::kProbe: {  // without known codes: it must really run
      if (evaluated_.count(grant.task.index) == 0) return gone;
      TUNE_ASSIGN_OR_RETURN(v1::Candidate probed, ReadCandidate(grant.task.index));
      lease.mutable_evaluate()->set_candidate_index(grant.task.index);
      *lease.mutable_evaluate()->mutable_configuration() = std::move(*probed.mutable_configuration());
      return lease;
    }
    case TaskKind::kEvaluate: {
      const auto found = open_.find(grant.task.index);
      if (found == open_.end()) return gone;
      v1::Candidate& candidate = found->second;
      v1::EvaluateTask* task = lease.mutable_evaluate();
      task->set_candidate_index(candidate.index());
      *task->mutable_configuration() = candidate.configuration();
      candidate.set_state(v1::LEASED);
      candidate.set_attempts(static_cast<int32_t>(grant.attempt));
      if (candidate.has_diagnosis()) *task->mutable_diagnosis() = candidate.diagnosis();
      if (candidate.origin() == v1::REPLAY) return lease;  // so must a replay
      task->set_best_seconds(view_.best().median());
      for (const KnownCode& known : known_) {
        task->add_known_codes(known.code);
        task->add_known_candidates(known.candidate);
      }
      return lease;
    }
  }
  return gone;
}

absl::Status ActiveStudy::Accept(const Claim& claim, const std::string& worker, const v1::LeaseResult& result,
                                 RunResult* ran) {
  Lock lock(&mutex_);
  *ran = {};
  // A reference run that fails, or that differs from the first, ends the study whatever the lease was for.
  if (result.has_reference()) {
    return claim.current ? AcceptReference(claim, result.reference()) : absl::OkStatus();
  }
  const TaskKind kind = claim.task.kind;
  if (result.has_evaluate() && (kind == TaskKind::kEvaluate || kind == TaskKind::kProbe)) {
    v1::Evaluation evaluation = result.evaluate().evaluation();
    evaluation.set_worker(worker);
    CheckClaims(&evaluation);
    if (claim.current && kind == TaskKind::kEvaluate) {
      return AcceptEvaluation(claim, result.lease_id(), std::move(evaluation), ran);
    }
    if (claim.current) *ran = ResultOf(evaluation);
    return KeepExtraSample(claim.task.index, result.lease_id(), evaluation);
  }
  if (result.has_inspect() && kind == TaskKind::kInspect)
    return claim.current ? AcceptInspection(claim.task.index, result.inspect(), worker) : absl::OkStatus();
  if (result.has_confirm() && kind == TaskKind::kConfirm) {
    return claim.current ? AcceptConfirmation(worker, result.confirm()) : absl::OkStatus();
  }
  spdlog::warn("study {}: worker {} sent a result that does not fit its lease {}; dropped", id_, worker,
               result.lease_id());
  if (claim.current && kind == TaskKind::kReference) {
    v1::ReferenceResult failure;
    failure.set_failure(
        absl::StrCat("worker ", worker, " answered the reference run with another kind of result"));
    return AcceptReference(claim, failure);
  }
  if (claim.current && kind == TaskKind::kConfirm) return AcceptConfirmation(worker, {});
  if (claim.current && kind == TaskKind::kInspect) return AcceptInspection(claim.task.index, {}, worker);
  if (claim.current && kind == TaskKind::kEvaluate) {
    v1::Evaluation evaluation;
    evaluation.set_outcome(v1::RUNTIME);
    evaluation.set_message("the worker answered with another kind of result");
    return AcceptEvaluation(claim, result.lease_id(), evaluation, ran);
  }
  return absl::OkStatus();
}

absl::Status ActiveStudy::AcceptReference(const Claim& claim, const v1::ReferenceResult& result) {
  if (Finished()) return absl::OkStatus();
  v1::Study next = view_;
  if (!result.failure().empty() || !result.has_reference()) {
    next.set_failure(result.failure().empty() ? "the worker sent no reference" : result.failure());
    next.set_failure_log(result.log());
    return Finish(next, v1::FAILED, {});
  }
  if (claim.task.kind != TaskKind::kReference || view_.has_reference()) return absl::OkStatus();
  const double seconds = result.reference().sequential_seconds();
  if (!std::isfinite(seconds) || seconds < 0) {
    next.set_failure(absl::StrCat("the worker says that the region takes ", seconds, " s, which is no time"));
    return Finish(next, v1::FAILED, {});
  }
  *next.mutable_reference() = result.reference();
  *next.mutable_device() = claim.device;
  next.set_target(claim.device.target());
  next.set_state(v1::SEARCHING);
  next.set_beside_others(result.beside_others());
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), {}));
  dispatcher_->BindStudy(number_, claim.device);
  spdlog::info("study {} ({}): the region takes {:.6g} s sequentially; it is tuned for {} ({})", id_,
               view_.name(), view_.reference().sequential_seconds(), claim.device.model(),
               v1::Target_Name(claim.device.target()));
  return absl::OkStatus();
}

// "Not run again": measurement, outcome and what is known of kernels are copies of the other candidate's.
absl::Status ActiveStudy::ResolveDuplicate(v1::Evaluation* evaluation) const {
  const int64_t other = evaluation->duplicate_of_plus_one() - 1;
  const auto found = evaluated_.find(other);
  if (found == evaluated_.end() || !found->second.counts) {
    evaluation->set_duplicate_of_plus_one(0);
    evaluation->set_outcome(v1::RUNTIME);
    evaluation->set_message(
        absl::StrCat("the worker called it a duplicate of candidate ", other, ", which has no evaluation"));
    return absl::OkStatus();
  }
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate known, ReadCandidate(other));
  const v1::Evaluation& original = known.evaluation();
  if (original.code_fingerprint() != evaluation->code_fingerprint()) {
    evaluation->set_duplicate_of_plus_one(0);
    evaluation->set_outcome(v1::RUNTIME);
    evaluation->set_message(
        absl::StrCat("the worker called it a duplicate of candidate ", other, ", which has other code"));
    return absl::OkStatus();
  }
  evaluation->set_outcome(original.outcome());
  evaluation->set_message(original.message());
  *evaluation->mutable_errors() = original.errors();
  *evaluation->mutable_kernels() = original.kernels();
  evaluation->clear_measurement();
  if (original.has_measurement()) *evaluation->mutable_measurement() = original.measurement();
  return absl::OkStatus();
}

absl::Status ActiveStudy::AcceptEvaluation(const Claim& claim, const std::string& lease_id,
                                           v1::Evaluation evaluation, RunResult* ran) {
  if (evaluated_.count(claim.task.index) > 0) {
    return KeepExtraSample(claim.task.index, lease_id, evaluation);
  }
  const auto found = open_.find(claim.task.index);
  if (found == open_.end()) return absl::OkStatus();
  v1::Candidate candidate = found->second;
  const bool duplicate = evaluation.duplicate_of_plus_one() != 0;
  if (duplicate) TUNE_RETURN_IF_ERROR(ResolveDuplicate(&evaluation));
  if (!duplicate) *ran = ResultOf(evaluation);
  metrics_.Set(view_.reference(), candidate.configuration(), &evaluation);
  candidate.set_state(v1::EVALUATED);
  candidate.set_evaluated_unix_ms(NowMs());
  *candidate.mutable_evaluation() = std::move(evaluation);
  v1::Study next = view_;
  const bool searched = candidate.origin() == v1::SEARCH;
  if (searched) CountEvaluation(candidate, &next);
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), {{candidate, lease_id}}));
  if (!searched) {
    state_changed_ = true;  // the loop looks whether replays are left
    return absl::OkStatus();
  }
  Remember(candidate);
  Announce(candidate.index());
  if (view_.best_index() >= 0) dispatcher_->SetKnownGood(number_, view_.best_index());
  return absl::OkStatus();
}

absl::Status ActiveStudy::AcceptConfirmation(const std::string& worker, v1::Confirmation confirmation) {
  if (view_.state() != v1::CONFIRMING) return absl::OkStatus();
  v1::Study next = view_;
  confirmation.set_worker(worker);
  CheckClaims(&confirmation);
  auto* confirmed = confirmation.mutable_candidates();
  for (int i = confirmed->size() - 1; i >= 0; --i) {
    if (evaluated_.count(confirmed->Get(i).index()) == 0) confirmed->DeleteSubrange(i, 1);
  }
  ApplyConfirmation(std::move(confirmation), &next);
  const auto failed = [](const v1::ConfirmedCandidate& candidate) {
    return candidate.measurement().median() <= 0;
  };
  const auto& all = next.confirmation().candidates();
  if (std::all_of(all.begin(), all.end(), failed)) {
    next.add_warnings(
        "no candidate could be measured again: best and gains are from the search's own measurements");
  }
  return Finish(next, v1::DONE, {});
}

absl::Status ActiveStudy::KeepExtraSample(int64_t index, const std::string& lease_id,
                                          const v1::Evaluation& evaluation) {
  return KeepLateResult(store_, id_, ExtraSample{index, lease_id, clock_->Now(), evaluation});
}

void ActiveStudy::Tell(const TaskEvent& event) {
  Lock lock(&mutex_);
  if (event.kind == TaskEvent::kAbandoned) {
    if (const absl::Status status = Abandon(event); !status.ok()) {
      spdlog::error("study {}: a lost task could not be recorded: {}", id_, std::string(status.message()));
    }
    return;
  }
  const auto found = open_.find(event.task.index);
  if (event.task.kind != TaskKind::kEvaluate || found == open_.end()) return;
  v1::Candidate& candidate = found->second;
  candidate.set_state(event.kind == TaskEvent::kAdopted ? v1::LEASED : v1::PENDING);
  candidate.set_attempts(static_cast<int32_t>(event.attempts));
  if (event.kind != TaskEvent::kLost) return;
  spdlog::warn("study {}: candidate {} was lost with worker {} (attempt {})", id_, candidate.index(),
               event.worker, event.attempts);
  candidate.set_lost(event.lost);
  StudyChange change;
  change.study_id = id_;
  change.candidates.push_back({candidate, ""});
  if (const absl::Status status = store_->Apply(change); !status.ok()) {
    spdlog::error("study {}: {}", id_, std::string(status.message()));
  }
}

absl::Status ActiveStudy::Abandon(const TaskEvent& event) {
  const std::string lost = absl::StrCat("lost its worker ", event.lost, " times, the last time ",
                                        event.worker, event.poisoned ? ", and another one before" : "");
  v1::Study next = view_;
  if (Finished() && event.task.kind != TaskKind::kEvaluate) return absl::OkStatus();
  if (event.task.kind == TaskKind::kReference) {
    next.set_failure(
        absl::StrCat("the reference run ", lost,
                     "; see the log of tune-worker on that host (out of memory?), then submit again"));
    return Finish(next, v1::FAILED, {});
  }
  if (event.task.kind == TaskKind::kConfirm) {
    next.add_warnings(absl::StrCat("the final measurement ", lost,
                                   ": best and gains are from the search's own measurements"));
    return Finish(next, v1::DONE, {});
  }
  if (event.task.kind == TaskKind::kInspect) {
    v1::Inspection unknown;
    unknown.set_unknown("it " + lost);
    return AcceptInspection(event.task.index, unknown, event.worker);
  }
  const auto found = open_.find(event.task.index);
  if (found == open_.end()) return absl::OkStatus();
  v1::Candidate candidate = found->second;
  candidate.set_state(event.poisoned ? v1::POISONED : v1::EVALUATED);
  candidate.set_attempts(static_cast<int32_t>(event.attempts));
  candidate.set_lost(event.lost);
  candidate.set_evaluated_unix_ms(NowMs());
  candidate.mutable_evaluation()->set_outcome(v1::WORKER_LOST);
  candidate.mutable_evaluation()->set_message("it " + lost);
  candidate.mutable_evaluation()->set_worker(event.worker);
  const bool searched = candidate.origin() == v1::SEARCH;
  if (searched) CountEvaluation(candidate, &next);
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), {{candidate, ""}}));
  searched ? Announce(candidate.index()) : void(state_changed_ = true);
  return absl::OkStatus();
}

}  // namespace tune
