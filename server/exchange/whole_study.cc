#include "server/exchange/whole_study.h"

#include <set>

#include "common/evaluation/outcome.h"
#include "common/exchange/study_identity.h"
#include "server/study/study_spec.h"

namespace tune {
namespace {

absl::Status CannotKeep(const v1::ArchivedStudy& archived, absl::string_view why) {
  const std::string& id = archived.study().id();
  return absl::InvalidArgumentError(
      absl::StrCat("study ", id.empty() ? archived.study().name() : id, " of the archive: ", why));
}

// A study of results alone has neither scop nor program; every other spec is one that Submit would take.
absl::Status CheckArchivedSpec(const v1::ArchivedStudy& archived) {
  const v1::StudySpec& spec = archived.spec();
  if (!spec.has_scop() && !spec.has_program()) return absl::OkStatus();
  const absl::Status status = CheckSpec(spec);
  return status.ok() ? status : CannotKeep(archived, status.message());
}

absl::Status CheckState(const v1::ArchivedStudy& archived) {
  if (!IsFinished(archived.study().state())) return CannotKeep(archived, "it has not ended");
  std::set<int64_t> indices;
  for (const v1::ArchivedCandidate& candidate : archived.candidates()) {
    const int64_t index = candidate.candidate().index();
    if (index < 0 || !indices.insert(index).second) {
      return CannotKeep(archived,
                        absl::StrCat("the candidate index ", index, " occurs twice or is negative"));
    }
  }
  const int64_t best = archived.study().best_index();
  if (best >= 0 && indices.count(best) == 0) {
    return CannotKeep(archived, absl::StrCat("its best candidate ", best, " is missing"));
  }
  return absl::OkStatus();
}

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
    if (!stored.candidate.has_evaluation()) continue;  // a replay that waits
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
  archived.set_fingerprint(StudyFingerprint(archived));
  return archived;
}

absl::StatusOr<StoredStudy> CheckArchivedStudy(const v1::ArchivedStudy& archived, const std::string& source,
                                               absl::Time now) {
  TUNE_RETURN_IF_ERROR(CheckState(archived));
  TUNE_RETURN_IF_ERROR(CheckArchivedSpec(archived));
  StoredStudy stored;
  stored.study = archived.study();
  stored.study.clear_id();
  *stored.study.mutable_provenance() = ProvenanceOf(archived, source, now);
  stored.spec = archived.spec();
  for (const v1::ArchivedCandidate& candidate : archived.candidates()) {
    // One without an evaluation would be handed to workers.
    const v1::CandidateState state = candidate.candidate().state();
    if (state != v1::EVALUATED && state != v1::POISONED) continue;
    stored.candidates.push_back({candidate.candidate(), candidate.lease_id()});
  }
  for (const v1::ArchivedSample& sample : archived.extra_samples()) {
    stored.extra_samples.push_back({sample.candidate_index(), sample.lease_id(),
                                    absl::FromUnixMillis(sample.received_unix_ms()), sample.evaluation()});
  }
  return stored;
}

absl::StatusOr<std::string> FindOwnCopy(const Store& store, const v1::ArchivedStudy& archived) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<StudyKey> keys, store.FindKeys(KeyOfSpec(archived.spec()).shape));
  for (const StudyKey& key : keys) {
    if (!key.origin.empty() || key.finished_unix_ms != archived.study().finished_unix_ms()) continue;
    const auto own = ReadWholeStudy(store, key.study_id, /*without_texts=*/true);
    if (own.ok() && own->fingerprint() == archived.fingerprint()) return key.study_id;
  }
  return "";
}

}  // namespace tune
