#include "server/replay/archived_studies.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_join.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/study_identity.h"
#include "common/scop/parameter_values.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

std::string SubjectOf(const v1::StudySpec& spec) {
  return spec.has_kernel() ? KernelFingerprint(spec.kernel(), spec.program()) : ScopFingerprint(spec.scop());
}

// What a study's space depends on; the names are for people.
std::vector<std::pair<std::string, std::string>> SpaceOf(const v1::ArchivedStudy& archived) {
  std::vector<std::string> values;
  for (const auto& [name, value] : ParameterValueMap(archived.study().reference())) {
    values.push_back(absl::StrCat(name, "=", value));
  }
  return {{archived.spec().has_kernel() ? "kernel" : "scop", SubjectOf(archived.spec())},
          {"parameter values", absl::StrJoin(values, ",")},
          {"device", archived.study().device().model()},
          {"target", absl::StrCat(static_cast<int>(archived.study().target()))},
          {"generator", ResultKind(archived.spec().generator(), archived.spec().rounding())},
          {"level", absl::StrCat(std::max(archived.spec().search().level(), 1))}};
}

absl::StatusOr<std::vector<const v1::ArchivedStudy*>> ChosenStudies(const v1::Archive& archive,
                                                                    const std::vector<std::string>& ids) {
  std::vector<const v1::ArchivedStudy*> chosen;
  std::vector<std::string> known;
  for (const v1::ArchivedStudy& archived : archive.studies()) {
    known.push_back(archived.study().id());
    if (ids.empty() || std::count(ids.begin(), ids.end(), known.back()) > 0) chosen.push_back(&archived);
  }
  for (const std::string& id : ids) {
    if (std::count(known.begin(), known.end(), id) > 0) continue;
    return absl::NotFoundError(
        absl::StrCat("the archive has no study ", id, "; it has ", absl::StrJoin(known, ", ")));
  }
  return chosen;
}

absl::Status CheckOneSpace(const std::vector<const v1::ArchivedStudy*>& studies) {
  for (const v1::ArchivedStudy* other : studies) {
    const auto first = SpaceOf(*studies[0]), its = SpaceOf(*other);
    for (size_t i = 0; i < first.size(); ++i) {
      if (first[i] == its[i]) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "studies ", studies[0]->study().id(), " (", studies[0]->study().name(), ") and ",
          other->study().id(), " (", other->study().name(), ") of the archive have not one space: their ",
          first[i].first, " differs; name those of one space with --study"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOneObjective(const std::vector<const v1::ArchivedStudy*>& studies) {
  for (const v1::ArchivedStudy* other : studies) {
    const v1::Study &first = studies[0]->study(), &its = other->study();
    if (SameObjective(first.search(), its.search())) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("studies ", first.id(), " and ", its.id(), " of the archive are tuned for ",
                     ObjectiveOf(first.search()), " and ", ObjectiveOf(its.search()),
                     "; name the one to judge by with --objective, or studies with --study"));
  }
  return absl::OkStatus();
}

bool IsEvaluatedBySearch(const v1::Candidate& candidate) {
  return candidate.origin() == v1::SEARCH && candidate.has_evaluation() &&
         IsOfARun(candidate.evaluation().outcome());
}

RecordedCandidate Recorded(const v1::SearchOptions& search, const v1::Candidate& candidate) {
  RecordedCandidate recorded;
  for (const v1::Decision& decision : candidate.configuration().decisions()) {
    recorded.decisions.emplace_back(decision.key(), decision.option());
  }
  const v1::Evaluation& evaluation = candidate.evaluation();
  recorded.evaluation.set_outcome(evaluation.outcome());
  recorded.evaluation.set_message(evaluation.message());
  if (evaluation.has_measurement()) {
    recorded.evaluation.mutable_measurement()->set_median(evaluation.measurement().median());
    recorded.evaluation.mutable_measurement()->set_joules(evaluation.measurement().joules());
  }
  *recorded.evaluation.mutable_kernels() = evaluation.kernels();
  *recorded.evaluation.mutable_metrics() = evaluation.metrics();
  ReplaceTimeByCost(search, &recorded.evaluation);
  recorded.is_default = candidate.index() == 0;
  return recorded;
}

}  // namespace

absl::StatusOr<std::vector<RecordedCandidate>> CandidatesOfArchive(const v1::Archive& archive,
                                                                   const std::vector<std::string>& studies,
                                                                   v1::SearchOptions* search) {
  TUNE_ASSIGN_OR_RETURN(const auto chosen, ChosenStudies(archive, studies));
  TUNE_RETURN_IF_ERROR(CheckOneSpace(chosen));
  const bool is_asked = search != nullptr && !search->objective().empty();
  if (!is_asked) TUNE_RETURN_IF_ERROR(CheckOneObjective(chosen));
  const v1::SearchOptions judged = is_asked || chosen.empty()
                                       ? (search == nullptr ? v1::SearchOptions() : *search)
                                       : chosen[0]->study().search();
  if (search != nullptr) {
    search->set_objective(judged.objective());
    search->set_maximise(judged.maximise());
  }
  std::vector<RecordedCandidate> candidates;
  std::map<std::vector<std::pair<std::string, std::string>>, size_t> known;  // position by decisions
  for (const v1::ArchivedStudy* archived : chosen) {
    for (const v1::ArchivedCandidate& stored : archived->candidates()) {
      if (!IsEvaluatedBySearch(stored.candidate())) continue;
      RecordedCandidate recorded = Recorded(judged, stored.candidate());
      const auto [same, is_new] = known.try_emplace(recorded.decisions, candidates.size());
      if (is_new) {
        candidates.push_back(std::move(recorded));
        continue;
      }
      RecordedCandidate& first = candidates[same->second];
      first.is_default |= recorded.is_default;
      if (first.evaluation.outcome() == v1::WORKER_LOST) first.evaluation = std::move(recorded.evaluation);
    }
  }
  return candidates;
}

}  // namespace tune
