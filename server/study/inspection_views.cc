#include "server/study/inspection_views.h"

#include <algorithm>
#include <map>

#include "common/decision/configuration.h"
#include "server/study/carving_judge.h"

namespace tune {
namespace {

constexpr int kLargestPage = 1000;
constexpr int64_t kCandidatesAtOnce = 500;

// What is shown of a candidate.
struct Measured {
  int64_t index = 0;
  v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;
  double seconds = 0;
};

// Of the search, by their configurations' fingerprints.
absl::StatusOr<std::map<std::string, Measured>> MeasuredOf(const Store& store, const std::string& study_id) {
  std::map<std::string, Measured> measured;
  CandidatePage page;
  int64_t first = 0;
  do {
    TUNE_RETURN_IF_ERROR(store.ReadCandidates(study_id, first, kCandidatesAtOnce, &page));
    for (size_t i = 0; i < page.size(); ++i) {
      const v1::Candidate& candidate = page[i];
      first = candidate.index() + 1;
      if (candidate.origin() != v1::SEARCH) continue;
      const v1::Evaluation& evaluation = candidate.evaluation();
      const bool is_correct = evaluation.outcome() == v1::CORRECT;
      measured[ConfigurationFingerprint(candidate.configuration())] = {
          candidate.index(), evaluation.outcome(), is_correct ? evaluation.measurement().median() : 0};
    }
  } while (static_cast<int64_t>(page.size()) == kCandidatesAtOnce);
  return measured;
}

// The first ones are those among which carving chooses; all, where nothing was planned.
std::vector<v1::Inspection> SurveyedOf(const v1::Study& study, const std::vector<v1::Inspection>& all) {
  if (study.inspections().planned() == 0) return all;
  std::vector<v1::Inspection> surveyed;
  for (const v1::Inspection& inspection : all) {
    if (inspection.index() < study.inspections().planned()) surveyed.push_back(inspection);
  }
  return surveyed;
}

void TellVerdict(const CarvingVerdict& verdict, v1::InspectionView* view) {
  view->set_efficiency(verdict.metrics.efficiency);
  view->set_utilization(verdict.metrics.utilization);
  view->set_removed(verdict.removed);
  view->set_reason(verdict.reason);
  view->set_by_plus_one(verdict.by.value_or(-1) + 1);
  view->set_on_front(verdict.on_front);
}

}  // namespace

absl::StatusOr<v1::ListInspectionsResponse> ListInspections(const Store& store,
                                                            const v1::ListInspectionsRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, store.GetStudy(request.study_id()));
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Inspection> all, store.ListInspections(request.study_id()));
  if (all.empty() && !study.has_inspections())
    return absl::FailedPreconditionError(
        absl::StrCat("study ", request.study_id(),
                     " inspects no configurations: submit it with --carve, --inspect or --strategy carving"));
  const v1::CarveOptions& options = request.has_carve() ? request.carve() : study.search().carve();
  const std::vector<v1::Inspection> surveyed = SurveyedOf(study, all);
  TUNE_ASSIGN_OR_RETURN(const CarvingJudge judge, CarvingJudge::Make(options, study.device(), surveyed));
  TUNE_ASSIGN_OR_RETURN(const auto measured, MeasuredOf(store, request.study_id()));
  const int page = request.page_size() > 0 ? std::min(request.page_size(), kLargestPage) : kLargestPage;
  v1::ListInspectionsResponse response;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].index() < request.first_index()) continue;
    if (response.inspections_size() == page) {
      response.set_more(true);
      break;
    }
    v1::InspectionView* const view = response.add_inspections();
    *view->mutable_inspection() = all[i];
    // Those that were surveyed come first, in the same order.
    TellVerdict(i < surveyed.size() ? judge.verdicts()[i] : judge.VerdictOn(all[i]), view);
    const auto candidate = measured.find(ConfigurationFingerprint(all[i].configuration()));
    if (candidate == measured.end()) continue;
    view->set_candidate_plus_one(candidate->second.index + 1);
    view->set_outcome(candidate->second.outcome);
    view->set_seconds(candidate->second.seconds);
  }
  return response;
}

}  // namespace tune
