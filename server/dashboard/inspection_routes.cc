// Routes of configurations that were compiled and looked at.
#include <map>

#include "common/evaluation/outcome.h"
#include "server/dashboard/message_json.h"
#include "server/dashboard/read_api.h"
#include "server/study/inspection_views.h"

namespace tune {
namespace {

using Decisions = std::map<std::string, std::string>;

Decisions DecisionsOf(const v1::Configuration& configuration) {
  Decisions decisions;
  for (const v1::Decision& decision : configuration.decisions())
    decisions[decision.key()] = decision.option();
  return decisions;
}

// Decisions other than those of the first configuration: "k[S0].unroll = 4".
Json Differences(const v1::Configuration& configuration, const Decisions& first) {
  Json differences = Json::array();
  for (const v1::Decision& decision : configuration.decisions()) {
    const auto same = first.find(decision.key());
    if (same == first.end() || same->second != decision.option())
      differences.push_back(absl::StrCat(decision.key(), " = ", decision.option()));
  }
  return differences;
}

Json ViewJson(const v1::InspectionView& view, const Decisions& first) {
  const auto index_or_null = [](int64_t plus_one) { return plus_one > 0 ? Json(plus_one - 1) : Json(); };
  return {{"index", view.inspection().index()},
          {"known", view.inspection().kernels_size() > 0},
          {"efficiency", view.efficiency()},
          {"utilization", view.utilization()},
          {"removed", view.removed()},
          {"on_front", view.on_front()},
          {"by", index_or_null(view.by_plus_one())},
          {"reason", view.reason()},
          {"candidate", index_or_null(view.candidate_plus_one())},
          {"outcome", view.outcome() == v1::OUTCOME_UNSPECIFIED ? Json() : Json(OutcomeName(view.outcome()))},
          {"seconds", view.seconds() > 0 ? Json(view.seconds()) : Json()},
          {"configuration", Differences(view.inspection().configuration(), first)}};
}

absl::StatusOr<RouteResponse> ShowInspections(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, sources.coordinator->GetStudy(id));
  Json inspections = Json::array();
  Decisions first;
  v1::ListInspectionsRequest wanted;
  wanted.set_study_id(id);
  for (bool more = true; more;) {
    const absl::StatusOr<v1::ListInspectionsResponse> page =
        ListInspections(sources.coordinator->store(), wanted);
    if (absl::IsFailedPrecondition(page.status())) break;  // nothing is inspected
    TUNE_RETURN_IF_ERROR(page.status());
    if (inspections.empty() && page->inspections_size() > 0)
      first = DecisionsOf(page->inspections(0).inspection().configuration());
    for (const v1::InspectionView& view : page->inspections()) {
      inspections.push_back(ViewJson(view, first));
      wanted.set_first_index(view.inspection().index() + 1);
    }
    more = page->more() && page->inspections_size() > 0;
  }
  return JsonResponse({{"margin", study.search().carve().margin()}, {"inspections", inspections}});
}

}  // namespace

void AddInspectionRoutes(const ReadSources& sources, std::vector<Route>* routes) {
  const RouteAdder add("/api/v1/studies/{study}", sources, routes);
  add("/inspections", ShowInspections);
}

}  // namespace tune
