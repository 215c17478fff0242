#include "server/dashboard/explanations.h"

#include <algorithm>

#include "absl/cleanup/cleanup.h"

namespace tune {
namespace {

constexpr int kMostMade = 2;
constexpr size_t kMostKept = 16;

}  // namespace

absl::StatusOr<v1::Explanation> Explanations::Get(const std::string& study_id, int64_t index_plus_one) {
  if (index_plus_one == 0) {
    absl::StatusOr<v1::Explanation> stored = coordinator_->store().GetSearchState(study_id);
    if (!absl::IsNotFound(stored.status())) return stored;
  }
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, coordinator_->GetStudy(study_id));
  const Key key = {study_id, index_plus_one, study.evaluated()};
  {
    absl::MutexLock lock(&mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& entry) { return entry.first == key; });
    if (found != kept_.end()) return found->second;
    if (making_ >= kMostMade) {
      return absl::ResourceExhaustedError("other explanations are being made; ask again in a few seconds");
    }
    ++making_;
  }
  const absl::Cleanup made = [this] {
    absl::MutexLock lock(&mutex_);
    --making_;
  };
  v1::ExplainRequest request;
  request.set_study_id(study_id);
  request.set_index_plus_one(index_plus_one);
  TUNE_ASSIGN_OR_RETURN(v1::Explanation explanation, coordinator_->Explain(request));
  absl::MutexLock lock(&mutex_);
  kept_.emplace_front(key, explanation);
  if (kept_.size() > kMostKept) kept_.pop_back();
  return explanation;
}

}  // namespace tune
