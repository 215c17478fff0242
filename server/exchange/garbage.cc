#include "server/exchange/garbage.h"

#include <algorithm>
#include <set>

#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

class GarbageCollection {
 public:
  GarbageCollection(Store& store, const v1::CollectGarbageRequest& policy, absl::Time now,
                    const std::function<bool(const std::string&)>& is_active,
                    const std::function<absl::StatusOr<bool>(const std::string&)>& remove)
      : store_(store), policy_(policy), now_(now), is_active_(is_active), remove_(remove) {}

  absl::StatusOr<v1::CollectGarbageResponse> Run() {
    TUNE_ASSIGN_OR_RETURN(keys_, store_.ListKeys());
    TUNE_ASSIGN_OR_RETURN(const int64_t before, store_.Size());
    response_.set_bytes_before(before);
    for (const StudyKey& key : keys_) {
      if (!IsFinished(key.state) || is_active_(key.study_id)) continue;
      const bool is_old = policy_.remove_days() > 0 && IsOlder(key.finished_unix_ms, policy_.remove_days());
      TUNE_ASSIGN_OR_RETURN(const bool is_best, is_old ? IsBestKnown(key) : true);
      if (is_old && !is_best) {
        TUNE_RETURN_IF_ERROR(Remove(key));
      } else if (IsOlder(key.finished_unix_ms, policy_.keep_days())) {
        TUNE_RETURN_IF_ERROR(RemoveTexts(key));
      }
    }
    const bool changed = response_.texts() > 0 || response_.removed_studies_size() > 0;
    if (changed && !policy_.dry_run()) TUNE_RETURN_IF_ERROR(store_.Compact());
    TUNE_ASSIGN_OR_RETURN(const int64_t after, store_.Size());
    response_.set_bytes_after(after);
    return response_;
  }

 private:
  bool IsOlder(int64_t unix_ms, int days) const {
    return absl::FromUnixMillis(unix_ms) < now_ - absl::Hours(24) * days;
  }

  // Nothing else of its key and objective is better; of equal ones the oldest stays. Results without a scop
  // have no key, so nothing takes their place.
  absl::StatusOr<bool> IsBestKnown(const StudyKey& key) const {
    if (key.best_seconds <= 0) return false;
    if (key.scop.empty()) return true;
    TUNE_ASSIGN_OR_RETURN(const v1::Study study, store_.GetStudy(key.study_id));
    const double cost = BestCost(study.search(), study);
    for (const StudyKey& other : keys_) {
      if (other.study_id == key.study_id || other.best_seconds <= 0 || !SameKey(key, other)) continue;
      const absl::StatusOr<v1::Study> rival = store_.GetStudy(other.study_id);
      if (absl::IsNotFound(rival.status())) continue;  // removed just now
      TUNE_RETURN_IF_ERROR(rival.status());
      if (!SameObjective(study.search(), rival->search())) continue;
      const double other_cost = BestCost(rival->search(), *rival);
      const bool is_older = StudyNumberOf(other.study_id).value() < StudyNumberOf(key.study_id).value();
      if (other_cost == cost ? is_older : IsLessCost(other_cost, cost)) return false;
    }
    return true;
  }

  absl::Status Remove(const StudyKey& key) {
    TUNE_ASSIGN_OR_RETURN(const auto candidates, store_.ListCandidates(key.study_id, {}));
    if (!policy_.dry_run()) {
      TUNE_ASSIGN_OR_RETURN(const bool removed, remove_(key.study_id));
      if (!removed) return absl::OkStatus();
    }
    response_.add_removed_studies(key.study_id);
    response_.set_removed_candidates(response_.removed_candidates() +
                                     static_cast<int64_t>(candidates.size()));
    return absl::OkStatus();
  }

  absl::Status RemoveTexts(const StudyKey& key) {
    TUNE_ASSIGN_OR_RETURN(const std::set<int64_t> keep, ChooseTexts(key.study_id));
    if (is_active_(key.study_id)) return absl::OkStatus();  // somebody has just asked for a replay
    TUNE_ASSIGN_OR_RETURN(const TextUse use, store_.RemoveTexts(key.study_id, keep, policy_.dry_run()));
    response_.set_texts(response_.texts() + use.texts);
    response_.set_text_bytes(response_.text_bytes() + use.bytes);
    return absl::OkStatus();
  }

  // The default, the fastest, the best and the confirmed candidates; new ones, which are replays; and those
  // whose code is theirs.
  absl::StatusOr<std::set<int64_t>> ChooseTexts(const std::string& study_id) const {
    TUNE_ASSIGN_OR_RETURN(const v1::Study study, store_.GetStudy(study_id));
    TUNE_ASSIGN_OR_RETURN(const std::vector<StoredCandidate> candidates, store_.ListCandidates(study_id, {}));
    std::vector<std::pair<double, int64_t>> correct;
    std::map<int64_t, int64_t> original;  // of a duplicate
    for (const StoredCandidate& stored : candidates) {
      const v1::Evaluation& evaluation = stored.candidate.evaluation();
      const int64_t index = stored.candidate.index();
      const double cost = CostOf(study.search(), evaluation);
      if (cost > 0) correct.emplace_back(cost, index);
      if (evaluation.duplicate_of_plus_one() > 0) original[index] = evaluation.duplicate_of_plus_one() - 1;
    }
    std::sort(correct.begin(), correct.end());
    std::set<int64_t> keep = {0};
    for (const StoredCandidate& stored : candidates) {
      if (!IsOlder(stored.candidate.evaluated_unix_ms(), policy_.keep_days()))
        keep.insert(stored.candidate.index());
    }
    if (study.best_index() >= 0) keep.insert(study.best_index());
    for (const auto& confirmed : study.confirmation().candidates()) keep.insert(confirmed.index());
    for (size_t i = 0; i < correct.size() && static_cast<int>(i) < policy_.keep_best(); ++i)
      keep.insert(correct[i].second);
    const std::set<int64_t> chosen = keep;
    for (int64_t index : chosen) {
      for (auto at = original.find(index); at != original.end() && keep.insert(at->second).second;)
        at = original.find(at->second);
    }
    return keep;
  }

  Store& store_;
  const v1::CollectGarbageRequest& policy_;
  const absl::Time now_;
  const std::function<bool(const std::string&)>& is_active_;
  const std::function<absl::StatusOr<bool>(const std::string&)>& remove_;
  std::vector<StudyKey> keys_;
  v1::CollectGarbageResponse response_;
};

}  // namespace

absl::StatusOr<v1::CollectGarbageResponse> CollectGarbage(
    Store& store, const v1::CollectGarbageRequest& policy, absl::Time now,
    const std::function<bool(const std::string&)>& is_active,
    const std::function<absl::StatusOr<bool>(const std::string&)>& remove) {
  if (policy.keep_days() < 0 || policy.keep_best() < 0 || policy.remove_days() < 0) {
    return absl::InvalidArgumentError("keep_days, keep_best and remove_days must not be negative");
  }
  return GarbageCollection(store, policy, now, is_active, remove).Run();
}

}  // namespace tune
