#include "server/dashboard/request_handler.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "common/base/fingerprint.h"
#include "server/access/permissions.h"
#include "server/dashboard/page_files.h"

namespace tune {
namespace {

constexpr absl::Duration kStreamSlice = absl::Seconds(1);
constexpr int kSlicesBetweenBeats = 15;
constexpr char kHtml[] = "text/html; charset=utf-8";
const char* const kViews[] = {"/",
                              "/studies",
                              "/studies/{study}",
                              "/studies/{study}/search",
                              "/studies/{study}/candidates/{index}",
                              "/workers",
                              "/results"};

// Beside those of the read API and the page.
const char* const kOtherRoutes[] = {"/metrics", "/api/v1/events", "/api/v1/studies/{study}/events"};

bool IsView(const std::string& path) {
  std::vector<std::string> ignored;
  return std::any_of(std::begin(kViews), std::end(kViews),
                     [&](const char* view) { return MatchRoute(view, path, &ignored); });
}

void Send(const RouteResponse& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_content(answer.body, answer.type.c_str());
  response.set_header("Cache-Control", "no-cache");
  if (!answer.file_name.empty()) {
    response.set_header("Content-Disposition", "attachment; filename=\"" + answer.file_name + "\"");
  }
}

bool WantsPage(const httplib::Request& request) {
  return absl::StrContains(request.get_header_value("Accept"), "text/html");
}

// What the page of the login needs; nothing of it is secret.
bool IsOfLogin(const std::string& path) {
  return path == "/page/style.css" || path == "/page/theme.js" || path == "/page/icon.svg";
}

// What a browser without a login gets.
std::string LoginPage(const std::string& message) {
  // `message` is one of Access::Check's, never the caller's text.
  return absl::StrCat(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Log in</title>"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<link rel=\"icon\" type=\"image/svg+xml\" href=\"/page/icon.svg\">"
      "<link rel=\"stylesheet\" href=\"/page/style.css\"><script src=\"/page/theme.js\"></script>"
      "<main class=\"login\"><h1>tuned-server</h1><p>",
      message,
      "</p><form method=\"get\" action=\"/\"><label for=\"token\">Token</label> <input id=\"token\" "
      "name=\"token\" "
      "type=\"password\" autocomplete=\"current-password\" required autofocus> <button>Log "
      "in</button></form></main>");
}

// The path and its parameters without the token.
std::string WithoutToken(const httplib::Request& request) {
  httplib::Params rest = request.params;
  rest.erase("token");
  // Two slashes at the start would name another host.
  std::string path =
      "/" + request.path.substr(std::min(request.path.find_first_not_of("/\\"), request.path.size()));
  if (!std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > ' ' && c < 127; })) path = "/";
  return rest.empty() ? path : httplib::append_query_params(path, rest);
}

}  // namespace

void RequestHandler::AddSecurityHeaders(httplib::Response& response) {
  response.set_header("Content-Security-Policy",
                      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
                      "frame-ancestors 'none'");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Opener-Policy", "same-origin");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
}

void RequestHandler::Handle(const httplib::Request& request, httplib::Response& response) const {
  const absl::Time start = absl::Now();
  AddSecurityHeaders(response);
  // The library would cut a part out and still say 200; and many ranges make an answer many times as long as
  // its text. Whole answers are always right.
  const_cast<httplib::Request&>(request).ranges.clear();
  response.set_header("Accept-Ranges", "none");
  const std::string route = Answer(request, response);
  sources_.metrics->Observe(route, response.status, absl::Now() - start);
}

// As the table of permissions names it. What nothing is at is the page's to say.
std::string RequestHandler::RouteOf(const std::string& path) const {
  std::vector<std::string> ignored;
  for (const char* pattern : kOtherRoutes) {
    if (MatchRoute(pattern, path, &ignored)) return pattern;
  }
  const std::string pattern = sources_.api->PatternOf(path);
  return pattern.empty() ? "page" : pattern;
}

bool RequestHandler::Refuse(const httplib::Request& request, httplib::Response& response) const {
  if (request.method != "GET" && request.method != "HEAD") {
    Send({405, RouteResponse().type,
          PrintJsonLine(
              {{"error", {{"code", "method_not_allowed"}, {"message", "only GET and HEAD are served"}}}}),
          ""},
         response);
    response.set_header("Allow", "GET, HEAD");
    return true;
  }
  const std::string cookie =
      request.has_param("token") ? sources_.access->LoginCookie(request.get_param_value("token")) : "";
  if (!cookie.empty()) {
    response.set_header("Set-Cookie", cookie);
    response.set_header("Cache-Control", "no-store");
    response.set_redirect(WithoutToken(request).c_str(), 303);
    return true;
  }
  const absl::StatusOr<Identity> caller =
      sources_.access->Identify({request.get_header_value("Host"), request.get_header_value("Authorization"),
                                 request.get_header_value("Cookie")});
  const absl::Status status = caller.ok() ? CheckPermission(*caller, RouteOf(request.path)) : caller.status();
  if (status.ok() || (absl::IsUnauthenticated(status) && IsOfLogin(request.path))) return false;
  const RouteResponse refusal = ErrorResponse(status);
  const bool login = absl::IsUnauthenticated(status) && WantsPage(request);
  Send(login ? RouteResponse{401, kHtml, LoginPage("This server wants a token."), ""} : refusal, response);
  if (refusal.status == 401) response.set_header("WWW-Authenticate", "Bearer realm=\"tuned-server\"");
  return true;
}

bool RequestHandler::ServeFile(const httplib::Request& request, httplib::Response& response) const {
  if (!absl::StartsWith(request.path, "/")) return false;
  const bool view = IsView(request.path);
  const PageFile* file = FindPageFile(view ? "index.html" : absl::string_view(request.path).substr(1));
  const bool named = file != nullptr && !view && absl::StrContains(file->path, '/');
  if (!view && !named) {
    // The page itself says that there is nothing.
    if (!WantsPage(request) || absl::StartsWith(request.path, "/api/")) return false;
    file = FindPageFile("index.html");
    response.status = 404;
  }
  const std::string tag = "\"" + Fingerprint(file->text) + "\"";
  response.set_header("ETag", tag);
  response.set_header("Cache-Control", "no-cache");
  if (request.get_header_value("If-None-Match") == tag) {
    response.status = 304;
  } else {
    if (response.status != 404) response.status = 200;
    response.set_content(std::string(file->text), std::string(PageFileType(file->path)).c_str());
  }
  return true;
}

std::string RequestHandler::Answer(const httplib::Request& request, httplib::Response& response) const {
  if (request.path == "/healthz") {
    Send(TextResponse("ok\n"), response);
    return request.path;
  }
  if (request.path == "/readyz") {
    // Said to everybody, so without the database's own words.
    const absl::Status status = sources_.coordinator->store().CheckWritable();
    if (!status.ok()) spdlog::warn("page: nothing can be stored: {}", std::string(status.message()));
    Send(status.ok() ? TextResponse("ok\n")
                     : ErrorResponse(absl::UnavailableError("nothing can be stored; see the server's log")),
         response);
    return request.path;
  }
  if (Refuse(request, response)) return "refused";
  if (request.path == "/metrics") {
    const absl::StatusOr<std::string> text = sources_.metrics->Print();
    Send(text.ok() ? RouteResponse{200, "text/plain; version=0.0.4; charset=utf-8", *text, ""}
                   : ErrorResponse(text.status()),
         response);
    return request.path;
  }
  std::vector<std::string> segments;
  for (const char* pattern : {"/api/v1/events", "/api/v1/studies/{study}/events"}) {
    if (!MatchRoute(pattern, request.path, &segments)) continue;
    Stream(request, segments.empty() ? "" : segments[0], response);
    return pattern;
  }
  if (ServeFile(request, response)) return "page";
  std::string pattern;
  Send(sources_.api->Answer(request.path, request.params, &pattern), response);
  return pattern.empty() ? "unknown" : pattern;
}

void RequestHandler::Stream(const httplib::Request& request, const std::string& study,
                            httplib::Response& response) const {
  absl::Status status = Query(request.params).Finish();
  if (status.ok() && !study.empty()) status = StudySegment(study).status();
  if (status.ok() && !study.empty()) status = sources_.coordinator->GetStudy(study).status();
  if (!status.ok()) return Send(ErrorResponse(status), response);
  if (request.method == "HEAD") return Send({200, "text/event-stream", "", ""}, response);
  absl::StatusOr<std::unique_ptr<Subscription>> made = sources_.feed->Subscribe(study);
  if (!made.ok()) return Send(ErrorResponse(made.status()), response);
  response.status = 200;
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Accel-Buffering", "no");  // asks proxies to pass events on at once
  const std::shared_ptr<Subscription> subscription = *std::move(made);
  // A page that has gone or does not read ends the stream: the write fails within the write timeout.
  response.set_chunked_content_provider(
      "text/event-stream", [subscription, quiet = 0](size_t, httplib::DataSink& sink) mutable {
        const std::optional<std::string> event = subscription->Next(kStreamSlice);
        if (!event.has_value()) {
          sink.done();
          return true;
        }
        if (!event->empty()) {
          quiet = 0;
          return sink.write(event->data(), event->size());
        }
        if (++quiet < kSlicesBetweenBeats) return sink.is_writable();
        quiet = 0;
        return sink.write(": beat\n\n", 8);
      });
}

}  // namespace tune
