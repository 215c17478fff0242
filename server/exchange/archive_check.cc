#include "server/exchange/archive_check.h"

#include <cmath>
#include <map>

#include "common/evaluation/outcome.h"
#include "common/exchange/results_alone.h"
#include "server/study/inspected_kernels.h"
#include "server/study/study_spec.h"

namespace tune {
namespace {

// Every index counts on from the last one, as a number of 32 bits in some places.
constexpr int64_t kHighestIndex = 1'000'000'000;
// Of serialized messages. Lists of studies, specs and candidates must fit into what one call may send.
constexpr size_t kLargestStudy = 4 << 20, kLargestSpec = 240 << 20, kLargestCandidate = 64 << 20;

absl::Status CannotKeep(const v1::ArchivedStudy& archived, absl::string_view why) {
  const std::string& id = archived.study().id();
  return absl::InvalidArgumentError(
      absl::StrCat("study ", id.empty() ? archived.study().name() : id, " of the archive: ", why));
}

// A study of results alone has neither scop, kernel nor program; every other spec is one that Submit would
// take.
absl::Status CheckArchivedSpec(const v1::ArchivedStudy& archived) {
  const v1::StudySpec& spec = archived.spec();
  if (!spec.has_scop() && !spec.has_kernel() && !spec.has_program()) {
    if (AreResultsAlone(archived.study().provenance().format())) return absl::OkStatus();
    return CannotKeep(archived, "it has neither scop nor program, and is no study of results alone");
  }
  const absl::Status status = CheckSpec(spec);
  return status.ok() ? status : CannotKeep(archived, status.message());
}

absl::Status CheckSizes(const v1::ArchivedStudy& archived) {
  if (archived.study().ByteSizeLong() > kLargestStudy)
    return CannotKeep(archived, "its summary is too large");
  if (archived.spec().ByteSizeLong() > kLargestSpec) return CannotKeep(archived, "its program is too large");
  for (const v1::ArchivedCandidate& candidate : archived.candidates()) {
    if (candidate.ByteSizeLong() > kLargestCandidate) {
      return CannotKeep(archived, absl::StrCat("candidate ", candidate.candidate().index(), " is too large"));
    }
  }
  for (const v1::ArchivedSample& sample : archived.extra_samples()) {
    if (sample.ByteSizeLong() > kLargestCandidate)
      return CannotKeep(archived, "an extra sample is too large");
  }
  if (archived.search_state().ByteSizeLong() > kLargestCandidate)
    return CannotKeep(archived, "the state of its search is too large");
  return absl::OkStatus();
}

bool IsTime(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

// Times are sorted and compared: what is no number has no place among them.
bool HoldsTimes(const v1::Measurement& measurement) {
  for (const double sample : measurement.samples()) {
    if (!IsTime(sample)) return false;
  }
  return IsTime(measurement.median()) && !std::isnan(measurement.confidence_low()) &&
         !std::isnan(measurement.confidence_high()) && IsTime(measurement.joules());
}

absl::Status CheckTimes(const v1::ArchivedStudy& archived) {
  const v1::Study& study = archived.study();
  bool good = HoldsTimes(study.best()) && HoldsTimes(study.default_measurement()) &&
              HoldsTimes(study.confirmation().sequential());
  for (const v1::ConfirmedCandidate& confirmed : study.confirmation().candidates())
    good = good && HoldsTimes(confirmed.measurement());
  for (const v1::ArchivedCandidate& candidate : archived.candidates())
    good = good && HoldsTimes(candidate.candidate().evaluation().measurement());
  for (const v1::ArchivedSample& sample : archived.extra_samples())
    good = good && HoldsTimes(sample.evaluation().measurement());
  return good ? absl::OkStatus() : CannotKeep(archived, "it holds a time that is negative or no number");
}

// JSON has no other numbers.
absl::Status CheckSearchState(const v1::ArchivedStudy& archived) {
  for (const v1::GraphEdge& edge : archived.search_state().edges()) {
    if (!std::isfinite(edge.pheromone()) || !std::isfinite(edge.desirability()))
      return CannotKeep(archived, "the state of its search holds what is no number");
  }
  return absl::OkStatus();
}

absl::Status CheckInspections(const v1::ArchivedStudy& archived) {
  int64_t last = -1;
  for (const v1::Inspection& inspection : archived.inspections()) {
    if (inspection.index() <= last || inspection.index() > kHighestIndex)
      return CannotKeep(archived, absl::StrCat("its inspection ", inspection.index(),
                                               " is out of order, negative or too large"));
    last = inspection.index();
    if (const absl::Status status = CheckInspection(inspection); !status.ok())
      return CannotKeep(archived, status.message());
  }
  return absl::OkStatus();
}

using CandidatesByIndex = std::map<int64_t, const v1::Candidate*>;

absl::StatusOr<CandidatesByIndex> ReadIndices(const v1::ArchivedStudy& archived) {
  CandidatesByIndex candidates;
  for (const v1::ArchivedCandidate& candidate : archived.candidates()) {
    const int64_t index = candidate.candidate().index();
    if (index < 0 || index > kHighestIndex || !candidates.emplace(index, &candidate.candidate()).second) {
      return CannotKeep(archived, absl::StrCat("the candidate index ", index,
                                               " occurs twice, is negative or is too large"));
    }
  }
  return candidates;
}

// The best time is that of the candidate as the search or as the confirmation has measured it.
bool IsTimeOfBest(const v1::Study& study, const v1::Candidate& best) {
  const double told = study.best().median();
  if (told == best.evaluation().measurement().median()) return true;
  for (const v1::ConfirmedCandidate& confirmed : study.confirmation().candidates()) {
    if (confirmed.index() == best.index() && told == confirmed.measurement().median()) return true;
  }
  return false;
}

absl::Status CheckBest(const v1::ArchivedStudy& archived, const CandidatesByIndex& candidates) {
  const int64_t index = archived.study().best_index();
  if (index < 0) return absl::OkStatus();
  const auto best = candidates.find(index);
  if (best == candidates.end() || !IsKept(*best->second)) {
    return CannotKeep(archived, absl::StrCat("its best candidate ", index, " is missing"));
  }
  if (best->second->evaluation().outcome() != v1::CORRECT) {
    return CannotKeep(archived, absl::StrCat("its best candidate ", index, " is not correct"));
  }
  if (!IsTimeOfBest(archived.study(), *best->second)) {
    return CannotKeep(archived, absl::StrCat("its best time is not that of its best candidate ", index));
  }
  return absl::OkStatus();
}

}  // namespace

bool IsKept(const v1::Candidate& candidate) {
  return candidate.has_evaluation() &&
         (candidate.state() == v1::EVALUATED || candidate.state() == v1::POISONED);
}

absl::Status CheckArchivedContent(const v1::ArchivedStudy& archived) {
  const v1::Study& study = archived.study();
  if (!IsFinished(study.state())) return CannotKeep(archived, "it has not ended");
  if (!v1::Target_IsValid(study.target()) || !v1::Target_IsValid(study.device().target())) {
    return CannotKeep(archived, "its target is not known here");
  }
  TUNE_RETURN_IF_ERROR(CheckSizes(archived));
  TUNE_RETURN_IF_ERROR(CheckTimes(archived));
  TUNE_RETURN_IF_ERROR(CheckSearchState(archived));
  TUNE_RETURN_IF_ERROR(CheckInspections(archived));
  TUNE_ASSIGN_OR_RETURN(const CandidatesByIndex candidates, ReadIndices(archived));
  TUNE_RETURN_IF_ERROR(CheckBest(archived, candidates));
  return CheckArchivedSpec(archived);
}

}  // namespace tune
