// The parts of ActiveStudy that deal with the best few before they are confirmed.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "server/study/active_study.h"
#include "server/study/study_warning.h"

namespace tune {
namespace {

v1::Candidate Reopened(v1::Candidate candidate) {
  candidate.set_state(v1::PENDING);
  candidate.clear_evaluation();
  candidate.clear_evaluated_unix_ms();
  return candidate;
}

}  // namespace

absl::StatusOr<std::vector<StoredCandidate>> ActiveStudy::Finalists() const {
  std::vector<int64_t> indices;
  {
    Lock lock(&mutex_);
    indices = ChooseForConfirmation(evaluated_, spec_->search().confirm());
  }
  std::vector<StoredCandidate> finalists;
  for (const int64_t index : indices) {
    TUNE_ASSIGN_OR_RETURN(StoredCandidate stored, store_->GetCandidate(id_, index));
    finalists.push_back(std::move(stored));
  }
  return finalists;
}

absl::Status ActiveStudy::KeepComparisons(const std::map<int64_t, v1::CodeComparison>& found,
                                          const std::string& warning) {
  Lock lock(&mutex_);
  if (found.empty() || Finished()) return absl::OkStatus();
  std::vector<StoredCandidate> candidates;
  for (const auto& [index, comparison] : found) {
    TUNE_ASSIGN_OR_RETURN(StoredCandidate stored, store_->GetCandidate(id_, index));
    *stored.candidate.mutable_evaluation()->mutable_comparison() = comparison;
    candidates.push_back(std::move(stored));
  }
  v1::Study next = view_;
  AddWarning(warning, &next);
  return Commit(std::move(next), std::move(candidates));
}

void ActiveStudy::SetAside(const std::string& worker, const std::string& why) {
  dispatcher_->SetAside(worker, number_, why);
}

void ActiveStudy::Doubt(const std::string& worker, const DeviceKind& kind) {
  Lock lock(&mutex_);
  if (view_.has_reference() && KindOf(view_.device()) == kind) doubted_[worker] = arrivals_;
}

bool ActiveStudy::IsDoubtful(const v1::Candidate& candidate) const {
  const std::string& worker = candidate.evaluation().worker();
  {
    Lock lock(&mutex_);
    const auto doubted = doubted_.find(worker);
    const auto record = evaluated_.find(candidate.index());
    if (doubted != doubted_.end() && record != evaluated_.end() && record->second.arrival < doubted->second)
      return true;
  }
  return dispatcher_->IsSetAside(worker, number_);
}

absl::Status ActiveStudy::MeasureAgain(const std::set<int64_t>& indices, const std::string& warning) {
  Lock lock(&mutex_);
  if (view_.state() != v1::SEARCHING) return absl::OkStatus();
  v1::Study next = view_;
  ForgetEvaluations(&next);
  AddWarning(warning, &next);
  std::vector<StoredCandidate> reopened;
  // Copies come after what they copy.
  TUNE_RETURN_IF_ERROR(
      VisitCandidates([&](const v1::Candidate& candidate) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        const int64_t index = candidate.index();
        const int64_t original = candidate.evaluation().duplicate_of_plus_one() - 1;
        const bool again = candidate.origin() == v1::SEARCH && evaluated_.count(index) > 0 &&
                           (indices.count(index) > 0 || indices.count(original) > 0);
        again ? reopened.push_back({Reopened(candidate), ""}) : CountEvaluation(candidate, &next);
        return absl::OkStatus();
      }));
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), reopened));
  for (const auto& [candidate, lease] : reopened) {
    const int64_t index = candidate.index();
    std::erase_if(known_, [&](const KnownCode& known) { return known.candidate == index; });
    if (std::find(news_.begin(), news_.end(), index) == news_.end()) again_.insert(index);
    dispatcher_->AddTask({number_, TaskKind::kEvaluate, index}, candidate.attempts(), candidate.lost());
  }
  dispatcher_->SetKnownGood(number_, view_.best_index());
  return absl::OkStatus();
}

void ActiveStudy::Announce(int64_t index) {
  if (again_.erase(index) == 0) {
    news_.push_back(index);
  } else {
    state_changed_ = true;  // the loop looks at the best few again
  }
}

}  // namespace tune
