#include "server/dashboard/route.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace tune {
namespace {

int HttpStatus(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return 400;
    case absl::StatusCode::kUnauthenticated:
      return 401;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kFailedPrecondition:
      return 409;
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnavailable:
      return 503;
    default:
      return 500;
  }
}

}  // namespace

RouteResponse TextResponse(std::string text, const std::string& file_name) {
  return {200, "text/plain; charset=utf-8", std::move(text), file_name};
}

RouteResponse ErrorResponse(const absl::Status& status) {
  const Json error = {{"error",
                       {{"code", absl::AsciiStrToLower(absl::StatusCodeToString(status.code()))},
                        {"message", std::string(status.message())}}}};
  RouteResponse response = JsonResponse(error);
  response.status = HttpStatus(status.code());
  return response;
}

bool MatchRoute(const std::string& pattern, const std::string& path, std::vector<std::string>* segments) {
  const std::vector<absl::string_view> wanted = absl::StrSplit(pattern, '/');
  const std::vector<absl::string_view> given = absl::StrSplit(path, '/');
  if (wanted.size() != given.size()) return false;
  std::vector<std::string> found;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (absl::StartsWith(wanted[i], "{") && !given[i].empty()) {
      found.emplace_back(given[i]);
    } else if (wanted[i] != given[i]) {
      return false;
    }
  }
  *segments = std::move(found);
  return true;
}

absl::StatusOr<std::string> StudySegment(const std::string& segment) {
  if (StudyNumberOf(segment).ok()) return segment;
  return absl::NotFoundError(absl::StrCat("'", absl::Utf8SafeCHexEscape(segment.substr(0, 60)),
                                          "' is no study's id; ids look like s12"));
}

absl::StatusOr<int64_t> IndexSegment(const std::string& segment) {
  int64_t index = 0;
  if (absl::SimpleAtoi(segment, &index) && index >= 0) return index;
  return absl::NotFoundError(absl::StrCat("'", absl::Utf8SafeCHexEscape(segment.substr(0, 60)),
                                          "' is no candidate's index, which is 0, 1, 2, ..."));
}

}  // namespace tune
