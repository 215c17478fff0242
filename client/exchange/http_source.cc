#include "client/exchange/http_source.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "client/exchange/bounded_json.h"
#include "client/report/table.h"
#include "common/exchange/archive.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

constexpr int kBusy = 503;
constexpr char kStudies[] = "/api/v1/studies";
constexpr size_t kLongestMessage = 500;
constexpr int kMostPagesWithoutNews = 3;  // studies that come meanwhile can fill a page with known ones
constexpr absl::Duration kLongestNap = absl::Milliseconds(50);

// "s12", as it may stand in a path.
bool IsIdOfStudy(const std::string& id) {
  return id.size() > 1 && id.size() < 20 && id[0] == 's' && id[1] != '0' &&
         id.find_first_not_of("0123456789", 1) == std::string::npos;
}

// What a server says, fit for a line of a terminal.
std::string Quoted(const std::string& text) { return OneLine(text.substr(0, kLongestMessage)); }

// The server takes its time before the first byte, and its archive may be large.
HttpLimits ArchiveLimits() {
  HttpLimits limits;
  limits.silence = absl::Minutes(2);
  limits.whole = absl::Hours(1);
  limits.bytes = kMaxArchiveBytes;
  return limits;
}

absl::StatusCode CodeOfError(const std::string& word, int http_status) {
  if (word == "not_found") return absl::StatusCode::kNotFound;
  if (word == "failed_precondition") return absl::StatusCode::kFailedPrecondition;
  if (word == "invalid_argument") return absl::StatusCode::kInvalidArgument;
  if (word == "data_loss") return absl::StatusCode::kDataLoss;
  return http_status == kBusy ? absl::StatusCode::kUnavailable : absl::StatusCode::kUnknown;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpSource>> HttpSource::Open(const Options& options) {
  HttpOptions http = options.http;
  http.interrupted = [interrupted = http.interrupted, budget = options.budget] {
    return interrupted() || (budget != nullptr && !budget->Check().ok());
  };
  TUNE_ASSIGN_OR_RETURN(HttpClient client, HttpClient::Open(std::move(http)));
  std::unique_ptr<HttpSource> source(new HttpSource(options, std::move(client)));
  TUNE_RETURN_IF_ERROR(source->CheckServer());
  return source;
}

absl::Status HttpSource::NoTunedServer() const {
  return absl::FailedPreconditionError(
      absl::StrCat(address_, ": what answers there is no tuned-server, or one of another version"));
}

absl::Status HttpSource::Refusal(const HttpAnswer& answer) const {
  if (answer.status >= 300 && answer.status < 400) {
    return absl::FailedPreconditionError(absl::StrCat(address_, " redirects to ", Quoted(answer.location),
                                                      ", which is not followed: name that server itself"));
  }
  const absl::StatusOr<Json> json = ParseBoundedJson(answer.body);
  const Json error = json.ok() && json->is_object() ? json->value("error", Json()) : Json();
  const std::string message = Quoted(TextMember(error, "message"));
  const std::string told = message.empty() ? "" : ": " + message;
  if (answer.status == 401) {
    return absl::UnauthenticatedError(absl::StrCat(address_, " demands a token", told,
                                                   ". Give its file with ", options_.token_option, "."));
  }
  if (answer.status == 403) return absl::PermissionDeniedError(absl::StrCat(address_, " refuses", told));
  if (message.empty()) return NoTunedServer();
  return absl::Status(CodeOfError(TextMember(error, "code"), answer.status), absl::StrCat(address_, told));
}

absl::Status HttpSource::CheckBudget() const {
  if (options_.budget == nullptr) return absl::OkStatus();
  return Annotate(options_.budget->Check(), address_);
}

absl::StatusOr<HttpAnswer> HttpSource::AskOnce(const std::string& path, const HttpLimits& limits) const {
  TUNE_RETURN_IF_ERROR(CheckBudget());
  absl::StatusOr<HttpAnswer> answer = client_.Get(path, limits);
  if (options_.budget != nullptr)
    options_.budget->CountAnswer(answer.ok() ? static_cast<int64_t>(answer->body.size()) : 0);
  if (absl::IsCancelled(answer.status())) TUNE_RETURN_IF_ERROR(CheckBudget());
  return answer;
}

absl::StatusOr<HttpAnswer> HttpSource::Ask(const std::string& path, const HttpLimits& limits) const {
  const auto& interrupted = client_.options().interrupted;
  for (int i = 1;; ++i) {
    absl::StatusOr<HttpAnswer> answer = AskOnce(path, limits);
    if (!answer.ok() || answer->status != kBusy || i >= options_.tries) return answer;
    const absl::Time end = absl::Now() + options_.pause;
    while (absl::Now() < end && !interrupted()) absl::SleepFor(std::min(kLongestNap, end - absl::Now()));
    TUNE_RETURN_IF_ERROR(CheckBudget());
    if (interrupted()) return absl::CancelledError("interrupted");
  }
}

absl::StatusOr<std::string> HttpSource::Get(const std::string& path, const HttpLimits& limits) const {
  absl::StatusOr<HttpAnswer> answer = Ask(path, limits);
  if (absl::IsFailedPrecondition(answer.status())) {
    return absl::FailedPreconditionError(
        absl::StrCat(answer.status().message(), " (", options_.ca_option, " FILE names an authority)"));
  }
  TUNE_RETURN_IF_ERROR(answer.status());
  if (answer->status != 200) return Refusal(*answer);
  return std::move(answer->body);
}

absl::StatusOr<Json> HttpSource::GetJson(const std::string& path) const {
  TUNE_ASSIGN_OR_RETURN(const std::string body, Get(path, HttpLimits()));
  absl::StatusOr<Json> json = ParseBoundedJson(body);
  if (!json.ok() || !json->is_object()) return NoTunedServer();
  return json;
}

absl::Status HttpSource::CheckServer() const {
  const absl::StatusOr<Json> server = GetJson("/api/v1/server");
  if (absl::IsNotFound(server.status())) return NoTunedServer();
  TUNE_RETURN_IF_ERROR(server.status());
  const std::string version = TextMember(*server, "version");
  if (version.empty()) return NoTunedServer();
  if (CompatibleVersion(version)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(address_, " has version ", Quoted(version), ", this is ", kVersion,
                   ": use the same one, or take files over with `tunectl export` and `tunectl import`"));
}

absl::StatusOr<int64_t> HttpSource::ReadPage(const Json& page, std::vector<v1::Study>* studies) const {
  const auto rows = page.find("studies");
  if (rows == page.end() || !rows->is_array()) return NoTunedServer();
  for (const Json& row : *rows) {
    v1::Study study;
    study.set_id(TextMember(row, "id"));
    if (!IsIdOfStudy(study.id())) return NoTunedServer();
    const std::string state = TextMember(row, "state");
    if (state != "done" && state != "failed" && state != "stopped") continue;
    if (IntMember(row, "best_index", -1) < 0) continue;
    study.set_created_unix_ms(IntMember(row, "created", 0));
    study.set_finished_unix_ms(IntMember(row, "finished", 0));
    studies->push_back(std::move(study));
  }
  return static_cast<int64_t>(rows->size());
}

absl::StatusOr<std::vector<v1::Study>> HttpSource::ListResults() {
  std::vector<v1::Study> studies;
  std::set<std::string> listed;
  int64_t read = 0, matching = 0;
  int pages_without_news = 0;
  do {
    TUNE_ASSIGN_OR_RETURN(const Json page,
                          GetJson(absl::StrCat(kStudies, "?limit=", options_.page, "&offset=", read)));
    TUNE_ASSIGN_OR_RETURN(const int64_t rows, ReadPage(page, &studies));
    matching = std::min<int64_t>(IntMember(page, "matching", 0), kMostStudies);
    if (rows == 0) break;
    read += rows;
    const size_t known = listed.size();
    for (const Json& row : page["studies"]) listed.insert(TextMember(row, "id"));
    pages_without_news = listed.size() > known ? 0 : pages_without_news + 1;
    if (pages_without_news == kMostPagesWithoutNews) {
      return absl::FailedPreconditionError(
          absl::StrCat(address_, ": its list of studies says that it goes on, and tells the same again"));
    }
    if (pages_without_news == 0 && options_.budget != nullptr) options_.budget->CountNews();
  } while (read < matching);
  // A study that is submitted meanwhile moves the others on, so that one can be on two pages.
  std::set<std::string> seen;
  const auto known = [&](const v1::Study& study) { return !seen.insert(study.id()).second; };
  studies.erase(std::remove_if(studies.begin(), studies.end(), known), studies.end());
  std::reverse(studies.begin(), studies.end());
  return studies;
}

absl::StatusOr<v1::Provenance> HttpSource::OriginOf(const v1::Study& listed) {
  TUNE_ASSIGN_OR_RETURN(const Json study, GetJson(absl::StrCat(kStudies, "/", listed.id())));
  if (options_.budget != nullptr) options_.budget->CountNews();
  const Json from = study.value("provenance", Json());
  v1::Provenance provenance;
  if (!from.is_object()) return provenance;
  provenance.set_format(TextMember(from, "format"));
  provenance.set_server(TextMember(from, "server"));
  provenance.set_study_id(TextMember(from, "study_id"));
  provenance.set_fingerprint(TextMember(from, "fingerprint"));
  return provenance;
}

absl::StatusOr<std::string> HttpSource::FetchArchive(const std::string& study_id) {
  if (!IsIdOfStudy(study_id))
    return absl::NotFoundError(absl::StrCat("'", Quoted(study_id), "' is no study's id"));
  TUNE_ASSIGN_OR_RETURN(std::string file,
                        Get(absl::StrCat(kStudies, "/", study_id, "/archive"), ArchiveLimits()));
  if (!LooksLikeArchive(file)) return NoTunedServer();
  return file;
}

}  // namespace tune
