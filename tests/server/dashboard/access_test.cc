#include "server/dashboard/access.h"

#include <set>

#include "server/access/permissions.h"
#include "server/dashboard/page_files.h"
#include "tests/server/dashboard/dashboard_fixture.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kToken[] = "0123456789abcdef+/&?0123456789";

TEST(AccessTest, WithoutATokenOnlyNamesOfThisMachine) {
  const auto authority = AuthorityOf("");
  const Access access(authority.get());
  for (const std::string host : {"localhost", "localhost:7411", "127.0.0.1:80", "127.1.2.3", "[::1]:7411",
                                 "LOCALHOST", "tuned.localhost:1", ""}) {
    EXPECT_TRUE(access.Identify({host, "", ""}).ok()) << host;
  }
  for (const std::string host : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7411",
                                 "10.0.0.1", "[::2]:1", "xlocalhost"}) {
    EXPECT_TRUE(absl::IsPermissionDenied(access.Identify({host, "", ""}).status())) << host;
  }
}

TEST(AccessTest, TheTokenOrItsCookie) {
  const auto authority = AuthorityOf(kToken);
  const Access access(authority.get());
  const std::string login = access.LoginCookie(kToken);
  const std::string cookie = login.substr(0, login.find(';'));
  EXPECT_THAT(login, Not(HasSubstr(kToken)));
  EXPECT_EQ(access.LoginCookie("wrong"), "");
  EXPECT_TRUE(access.Identify({"any", absl::StrCat("Bearer ", kToken), ""}).ok());
  EXPECT_TRUE(access.Identify({"any", "", "a=b; " + cookie + "; c=d"}).ok());
  for (const auto& [authorization, sent] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {kToken, ""},
                                                        {"Bearer ", ""},
                                                        {absl::StrCat("Bearer ", kToken, "x"), ""},
                                                        {"", cookie.substr(0, cookie.size() - 1)},
                                                        {"", "x" + cookie},
                                                        {"", "tuned_login="},
                                                        {"Bearer wrong", cookie}}) {
    EXPECT_TRUE(absl::IsUnauthenticated(access.Identify({"localhost", authorization, sent}).status()))
        << authorization << " | " << sent;
  }
}

class DashboardServerTest : public DashboardTest {
 protected:
  void ServeWithToken() {
    UseTokens(kToken);
    Serve();
  }
};

TEST_F(DashboardServerTest, EverythingButHealthWantsTheToken) {
  ServeWithToken();
  for (const std::string path :
       {"/", "/api/v1/studies", "/metrics", "/api/v1/events", "/page/app.js", "/nothing"}) {
    EXPECT_EQ(Get(path).status, 401) << path;
  }
  EXPECT_EQ(Get("/healthz").body, "ok\n");
  EXPECT_EQ(Get("/readyz").body, "ok\n");
  EXPECT_EQ(Get("/api/v1/studies", {{"Authorization", absl::StrCat("Bearer ", kToken)}}).status, 200);
  const httplib::Response login = Get("/", {{"Accept", "text/html"}});
  EXPECT_EQ(login.status, 401);
  EXPECT_THAT(login.body, HasSubstr("<form method=\"get\""));
}

TEST_F(DashboardServerTest, TheLoginIsServedWithWhatItNeeds) {
  ServeWithToken();
  const std::string login = Get("/", {{"Accept", "text/html"}}).body;
  int named = 0;
  for (const std::string part : {"href=\"", "src=\""}) {
    for (size_t place = login.find(part); place != std::string::npos; place = login.find(part, place + 1)) {
      const size_t begin = place + part.size();
      const std::string path = login.substr(begin, login.find('"', begin) - begin);
      EXPECT_EQ(Get(path).status, 200) << path;
      ++named;
    }
  }
  EXPECT_EQ(named, 3);
}

TEST_F(DashboardServerTest, AnAddressThatIsNoPathIsNotFound) {
  Serve();
  for (const std::string path : {"?x=1", "x", "studies"}) EXPECT_EQ(Get(path).status, 404) << path;
}

TEST_F(DashboardServerTest, ALoginLeavesACookieAndNoTokenInTheAddress) {
  ServeWithToken();
  const std::string encoded = "0123456789abcdef%2B%2F%26%3F0123456789";
  const httplib::Response login = Get("/studies/s1?x=1&token=" + encoded);
  EXPECT_EQ(login.status, 303);
  EXPECT_EQ(login.get_header_value("Location"), "/studies/s1?x=1");
  const std::string cookie = login.get_header_value("Set-Cookie");
  EXPECT_THAT(cookie, HasSubstr("HttpOnly; SameSite=Lax"));
  EXPECT_EQ(Get("/api/v1/studies", {{"Cookie", cookie.substr(0, cookie.find(';'))}}).status, 200);
  EXPECT_EQ(Get("/?token=wrong").status, 401);
  EXPECT_EQ(Get("//evil.example/x?token=" + encoded).get_header_value("Location"), "/evil.example/x");
}

TEST_F(DashboardServerTest, WorkersDoNotReadStudies) {
  UseTokens(TokenLine("worker", "node7", "secret-of-node-seven") +
            TokenLine("client", "alice", "secret-of-alice-16"));
  Serve();
  const auto status = [&](const std::string& path, const std::string& token) {
    return Get(path, {{"Authorization", "Bearer " + token}}).status;
  };
  for (const std::string path :
       {"/", "/api/v1/studies", "/metrics", "/api/v1/events", "/page/app.js", "/nothing"}) {
    EXPECT_EQ(status(path, "secret-of-node-seven"), 403) << path;
  }
  EXPECT_EQ(status("/api/v1/studies", "secret-of-alice-16"), 200);
}

TEST_F(DashboardServerTest, EveryRouteHasARole) {
  Serve();
  std::set<std::string> listed;
  for (const Permission& permission : Permissions()) listed.insert(std::string(permission.call));
  const nlohmann::json document = nlohmann::json::parse(FindPageFile("openapi.json")->text);
  EXPECT_GE(document["paths"].size(), 20u);
  for (const auto& [path, ignored] : document["paths"].items()) {
    const bool everybodys = path == "/healthz" || path == "/readyz";
    EXPECT_EQ(listed.count(path), everybodys ? 0u : 1u) << path;
  }
}

TEST_F(DashboardServerTest, RefusesAddressesThatItShouldNotServe) {
  const auto start = [&](const std::string& listen, const std::string& token) {
    DashboardOptions options = Options();
    options.listen = listen;
    const auto authority = AuthorityOf(token);
    options.authority = authority.get();
    return DashboardServer::Start(options, coordinator_.get()).status();
  };
  EXPECT_TRUE(absl::IsPermissionDenied(start("0.0.0.0:0", "")));
  EXPECT_TRUE(start("0.0.0.0:0", kToken).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(start("unix:/tmp/x", "")));
  EXPECT_TRUE(absl::IsInvalidArgument(start("7411", "")));
  Serve();
  const std::string taken = dashboard_->url().substr(7, dashboard_->url().size() - 8);
  const absl::Status status = start(taken, "");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("--http none"));
}

TEST_F(DashboardServerTest, OnlyReading) {
  Serve();
  httplib::Client client = Open();
  for (const httplib::Result& result :
       {client.Post("/api/v1/studies", "{}", "application/json"), client.Delete("/api/v1/studies/s1"),
        client.Put("/", "", "text/plain")}) {
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 405);
    EXPECT_EQ(result->get_header_value("Allow"), "GET, HEAD");
  }
  const httplib::Result head = Open().Head("/api/v1/studies");
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(Get("/", {{"Host", "evil.example"}}).status, 403);
}

TEST_F(DashboardServerTest, AnswersAreWhole) {
  Serve();
  const std::string whole = Get("/page/app.js").body;
  for (const std::string range : {"bytes=0-1", "bytes=0-,0-,0-,0-", "bytes=99999999-"}) {
    const httplib::Response response = Get("/page/app.js", {{"Range", range}});
    EXPECT_EQ(response.status, 200) << range;
    EXPECT_EQ(response.body, whole) << range;
  }
}

TEST_F(DashboardServerTest, EveryAnswerSaysWhatAPageMayDo) {
  Serve();
  for (const std::string path : {"/", "/studies/s1/candidates/7", "/api/v1/studies", "/nothing", "/healthz",
                                 "/api/v1/studies?x=1", "/page/app.js"}) {
    const httplib::Response response = Get(path);
    EXPECT_THAT(response.get_header_value("Content-Security-Policy"), HasSubstr("default-src 'self'"))
        << path;
    EXPECT_THAT(response.get_header_value("Content-Security-Policy"), Not(HasSubstr("unsafe"))) << path;
    EXPECT_EQ(response.get_header_value("X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(response.get_header_value("Referrer-Policy"), "no-referrer") << path;
  }
}

TEST_F(DashboardServerTest, ThePageIsServedAtEveryViewAndCachedByItsContent) {
  Serve();
  const httplib::Response root = Get("/");
  EXPECT_EQ(root.get_header_value("Content-Type"), "text/html; charset=utf-8");
  for (const std::string path : {"/studies", "/studies/s12", "/studies/s1/search", "/studies/s1/candidates/3",
                                 "/workers", "/results"}) {
    EXPECT_EQ(Get(path).body, root.body) << path;
  }
  const httplib::Response missing = Get("/nothing", {{"Accept", "text/html,*/*"}});
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body, root.body);
  EXPECT_EQ(Get("/", {{"If-None-Match", root.get_header_value("ETag")}}).status, 304);
  const httplib::Response script = Get("/page/app.js");
  EXPECT_EQ(script.get_header_value("Content-Type"), "text/javascript; charset=utf-8");
}

TEST_F(DashboardServerTest, MetricsForPrometheus) {
  Serve();
  RunStudy();
  Get("/api/v1/studies/s1");
  const httplib::Response response = Get("/metrics");
  EXPECT_THAT(response.get_header_value("Content-Type"), HasSubstr("version=0.0.4"));
  for (const std::string line :
       {"tuned_studies{state=\"done\"} 1", "tuned_evaluations{outcome=\"correct\"} 20",
        "tuned_worker_evaluations_total{worker=\"w1\"} 20", "tuned_workers{state=\"quarantined\"} 0",
        "tuned_http_requests_total{code=\"200\"} 1",
        "tuned_http_request_seconds_count{route=\"/api/v1/studies/{study}\"} 1", "tuned_http_streams 0"}) {
    EXPECT_THAT(response.body, HasSubstr(line + "\n"));
  }
}

}  // namespace
}  // namespace tune
