// Routes of what a search has learned.
#include "server/dashboard/explanations.h"
#include "server/dashboard/read_api.h"

namespace tune {
namespace {

Json ExplainedDecisionJson(const v1::ExplainedDecision& decision) {
  Json options = Json::array();
  for (const v1::ExplainedOption& option : decision.options()) options.push_back(ToJson(option));
  return {{"key", decision.key()},
          {"options", options},
          {"chosen", decision.chosen()},
          {"reason", decision.reason()}};
}

Json SearchStateJson(const v1::Explanation& explanation) {
  Json decisions = Json::array(), edges = Json::array(), notes = Json::array();
  for (const auto& decision : explanation.decisions()) decisions.push_back(ExplainedDecisionJson(decision));
  for (const auto& edge : explanation.edges()) edges.push_back(ToJson(edge));
  for (const std::string& note : explanation.notes()) notes.push_back(note);
  return {{"index", explanation.index()},
          {"iteration", explanation.iteration()},
          {"origin", explanation.origin()},
          {"tree", explanation.tree()},
          {"decisions", decisions},
          {"edges", edges},
          {"notes", notes}};
}

absl::StatusOr<RouteResponse> ShowSearch(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const v1::Explanation explanation, sources.explanations->Get(id, 0));
  return JsonResponse(SearchStateJson(explanation));
}

absl::StatusOr<RouteResponse> ShowExplanation(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const int64_t index, IndexSegment(request.segments[1]));
  if (index == INT64_MAX) return absl::NotFoundError("there is no such candidate");
  TUNE_ASSIGN_OR_RETURN(const v1::Explanation explanation, sources.explanations->Get(id, index + 1));
  return JsonResponse(SearchStateJson(explanation));
}

}  // namespace

void AddSearchRoutes(const ReadSources& sources, std::vector<Route>* routes) {
  const RouteAdder add("/api/v1/studies/{study}", sources, routes);
  add("/search", ShowSearch);
  add("/candidates/{index}/explanation", ShowExplanation);
}

}  // namespace tune
