#include "server/dashboard/read_api.h"

#include "absl/strings/escaping.h"

namespace tune {

ReadApi::ReadApi(const ReadSources& sources) {
  AddServerRoutes(sources, &routes_);
  AddStudyRoutes(sources, &routes_);
  AddCandidateRoutes(sources, &routes_);
  AddSearchRoutes(sources, &routes_);
  AddInspectionRoutes(sources, &routes_);
  AddArchiveRoutes(sources, &routes_);
}

std::string ReadApi::PatternOf(const std::string& path) const {
  std::vector<std::string> ignored;
  for (const Route& route : routes_) {
    if (MatchRoute(route.pattern, path, &ignored)) return route.pattern;
  }
  return "";
}

RouteResponse ReadApi::Answer(const std::string& path, std::multimap<std::string, std::string> parameters,
                              std::string* pattern) const {
  pattern->clear();
  Query query(std::move(parameters));
  RouteRequest request = {path, {}, &query};
  for (const Route& route : routes_) {
    if (!MatchRoute(route.pattern, path, &request.segments)) continue;
    *pattern = route.pattern;
    const absl::StatusOr<RouteResponse> response = route.answer(request);
    return response.ok() ? *response : ErrorResponse(response.status());
  }
  return ErrorResponse(
      absl::NotFoundError(absl::StrCat("there is nothing at '", absl::Utf8SafeCHexEscape(path.substr(0, 100)),
                                       "'; /api/v1/openapi.json names what there is")));
}

}  // namespace tune
