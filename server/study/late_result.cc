#include "server/study/late_result.h"

namespace tune {

absl::Status KeepLateResult(Store* store, const std::string& study_id, const ExtraSample& sample) {
  const absl::StatusOr<StoredCandidate> stored = store->GetCandidate(study_id, sample.candidate_index);
  if (absl::IsNotFound(stored.status())) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(stored.status());
  if (stored->lease_id == sample.lease_id) return absl::OkStatus();
  StudyChange change;
  change.study_id = study_id;
  change.extra_samples.push_back(sample);
  return store->Apply(change);
}

}  // namespace tune
