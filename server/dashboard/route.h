// A request that the read API answers, and its answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/dashboard/message_json.h"
#include "server/dashboard/query.h"

namespace tune {

struct RouteRequest {
  std::string path;                   // decoded
  std::vector<std::string> segments;  // what stands for the pattern's {names}, in order
  Query* query;                       // not owned; a handler reads all of it and calls Finish
};

struct RouteResponse {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string body;
  std::string file_name;  // not empty: a download of that name
};

struct Route {
  std::string pattern;  // "/api/v1/studies/{study}": as in openapi.json
  std::function<absl::StatusOr<RouteResponse>(const RouteRequest&)> answer;
};

inline RouteResponse JsonResponse(const Json& json) {
  return {200, RouteResponse().type, PrintJsonLine(json), ""};
}
RouteResponse TextResponse(std::string text, const std::string& file_name = "");

// The status code that HTTP has for it, and {"error": {"code": "not_found", "message": ...}}.
RouteResponse ErrorResponse(const absl::Status& status);

// Whether `path` has the pattern's form; fills `segments`.
bool MatchRoute(const std::string& pattern, const std::string& path, std::vector<std::string>* segments);

// A study's number and a candidate's index as they stand in a path. NOT_FOUND when it is none.
absl::StatusOr<std::string> StudySegment(const std::string& segment);
absl::StatusOr<int64_t> IndexSegment(const std::string& segment);

}  // namespace tune
