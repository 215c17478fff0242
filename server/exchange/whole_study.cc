#include "server/exchange/whole_study.h"

#include "common/evaluation/outcome.h"
#include "common/exchange/study_identity.h"
#include "server/exchange/archive_check.h"

namespace tune {
namespace {

v1::Provenance ProvenanceOf(const v1::ArchivedStudy& archived, const std::string& source, absl::Time now) {
  v1::Provenance provenance = archived.study().provenance();
  if (provenance.format().empty()) provenance.set_format("archive");
  if (provenance.server().empty()) {
    provenance.set_server(source);
    provenance.set_study_id(archived.study().id());
  }
  provenance.set_fingerprint(archived.fingerprint());
  provenance.set_imported_unix_ms(absl::ToUnixMillis(now));
  return provenance;
}

}  // namespace

absl::StatusOr<v1::ArchivedStudy> ReadWholeStudy(const Store& store, const std::string& study_id,
                                                 bool without_texts) {
  v1::ArchivedStudy archived;
  TUNE_ASSIGN_OR_RETURN(*archived.mutable_study(), store.GetStudy(study_id));
  if (!IsFinished(archived.study().state())) {
    return absl::FailedPreconditionError(absl::StrCat(study_id, " has not ended (",
                                                      StudyStateName(archived.study().state()),
                                                      "): wait for its end, or cancel it"));
  }
  TUNE_ASSIGN_OR_RETURN(*archived.mutable_spec(), store.GetSpec(study_id));
  TUNE_ASSIGN_OR_RETURN(const std::vector<StoredCandidate> candidates,
                        store.ListCandidates(study_id, {0, INT64_MAX, !without_texts}));
  for (const StoredCandidate& stored : candidates) {
    if (!IsKept(stored.candidate)) continue;  // a replay that waits
    v1::ArchivedCandidate& candidate = *archived.add_candidates();
    *candidate.mutable_candidate() = stored.candidate;
    candidate.set_lease_id(stored.lease_id);
  }
  TUNE_ASSIGN_OR_RETURN(const std::vector<ExtraSample> samples, store.ListExtraSamples(study_id));
  for (const ExtraSample& sample : samples) {
    v1::ArchivedSample& extra = *archived.add_extra_samples();
    extra.set_candidate_index(sample.candidate_index);
    extra.set_lease_id(sample.lease_id);
    extra.set_received_unix_ms(absl::ToUnixMillis(sample.received));
    *extra.mutable_evaluation() = sample.evaluation;
    if (!without_texts) continue;
    extra.mutable_evaluation()->clear_log();
    extra.mutable_evaluation()->clear_code();
    extra.mutable_evaluation()->clear_device_file();
  }
  if (auto state = store.GetSearchState(study_id); state.ok()) {
    *archived.mutable_search_state() = *std::move(state);
  } else if (!absl::IsNotFound(state.status())) {
    return state.status();
  }
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::Inspection> inspections, store.ListInspections(study_id));
  for (v1::Inspection& inspection : inspections) *archived.add_inspections() = std::move(inspection);
  archived.set_fingerprint(StudyFingerprint(archived));
  return archived;
}

absl::StatusOr<StoredStudy> CheckArchivedStudy(const v1::ArchivedStudy& archived, const std::string& source,
                                               absl::Time now) {
  TUNE_RETURN_IF_ERROR(CheckArchivedContent(archived));
  StoredStudy stored;
  stored.study = archived.study();
  stored.study.clear_id();
  *stored.study.mutable_provenance() = ProvenanceOf(archived, source, now);
  stored.spec = archived.spec();
  for (const v1::ArchivedCandidate& candidate : archived.candidates()) {
    if (!IsKept(candidate.candidate())) continue;
    StoredCandidate& kept = stored.candidates.emplace_back();
    kept = {candidate.candidate(), candidate.lease_id()};
    kept.candidate.mutable_evaluation()->clear_comparison();  // another server's word
  }
  for (const v1::ArchivedSample& sample : archived.extra_samples()) {
    stored.extra_samples.push_back({sample.candidate_index(), sample.lease_id(),
                                    absl::FromUnixMillis(sample.received_unix_ms()), sample.evaluation()});
  }
  if (archived.has_search_state()) stored.search_state = archived.search_state();
  stored.inspections = {archived.inspections().begin(), archived.inspections().end()};
  return stored;
}

absl::StatusOr<std::string> FindOwnCopy(const Store& store, const v1::ArchivedStudy& archived,
                                        const StudyKey& wanted) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<StudyKey> keys, store.FindKeys(wanted.shape));
  for (const StudyKey& key : keys) {
    if (!key.origin.empty() || key.finished_unix_ms != archived.study().finished_unix_ms()) continue;
    const auto own = ReadWholeStudy(store, key.study_id, /*without_texts=*/true);
    if (own.ok() && own->fingerprint() == archived.fingerprint()) return key.study_id;
  }
  return "";
}

}  // namespace tune
