// Another server's studies over its read API: pages, origins, archives, and every way in which it can refuse.
#include "client/exchange/http_source.h"

#include <gmock/gmock.h>

#include "common/exchange/archive.h"
#include "tests/client/testing/fake_page.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class HttpSourceTest : public ::testing::Test {
 protected:
  HttpSource::Options Options() const {
    HttpSource::Options options;
    options.http.address = ParseHttpAddress(page_.url()).value();
    options.pause = absl::ZeroDuration();
    options.page = 2;
    return options;
  }
  std::unique_ptr<HttpSource> Open() const { return HttpSource::Open(Options()).value(); }

  static std::string Row(const std::string& id, const std::string& state = "done",
                         const std::string& best = "3") {
    return absl::StrCat(R"({"id": ")", id, R"(", "state": ")", state, R"(", "best_index": )", best,
                        R"(, "created": 100, "finished": 200})");
  }
  // The rows as pages, as the real API makes them.
  void PutList(std::vector<std::string> rows) {
    page_.Put("/api/v1/studies", [rows](const httplib::Request& request, httplib::Response& response) {
      const size_t offset = std::stoul(request.get_param_value("offset"));
      const size_t end = std::min(rows.size(), offset + std::stoul(request.get_param_value("limit")));
      std::string list;
      for (size_t i = offset; i < end; ++i) absl::StrAppend(&list, list.empty() ? "" : ", ", rows[i]);
      response.status = 200;
      response.set_content(absl::StrCat(R"({"studies": [)", list, R"(], "matching": )", rows.size(), "}"),
                           "application/json");
    });
  }
  static std::vector<std::string> IdsOf(const std::vector<v1::Study>& studies) {
    std::vector<std::string> ids;
    for (const v1::Study& study : studies) ids.push_back(study.id());
    return ids;
  }

  FakePage page_;
};

TEST_F(HttpSourceTest, ListsResultsOldestFirst) {
  PutList({Row("s9"), Row("s8", "searching"), Row("s7", "stopped"), Row("s6", "done", "null"),
           Row("s5", "failed", "0"), Row("s4", "queued", "null"), Row("s1")});
  const auto source = Open();
  const std::vector<v1::Study> studies = source->ListResults().value();
  EXPECT_THAT(IdsOf(studies), ElementsAre("s1", "s5", "s7", "s9"));
  EXPECT_EQ(studies[0].created_unix_ms(), 100);
  EXPECT_EQ(studies[0].finished_unix_ms(), 200);
  EXPECT_EQ(source->address(), page_.url());
  EXPECT_EQ(page_.asked().size(), 5u);  // who it is, and four pages
}

// A study that is submitted between two pages moves the others on.
TEST_F(HttpSourceTest, AStudyOnTwoPagesIsOne) {
  PutList({Row("s4"), Row("s3"), Row("s3"), Row("s2")});
  EXPECT_THAT(IdsOf(Open()->ListResults().value()), ElementsAre("s2", "s3", "s4"));
}

TEST_F(HttpSourceTest, AListThatNeverEndsEnds) {
  page_.Put("/api/v1/studies", R"({"studies": [], "matching": 1000000000000})");
  EXPECT_THAT(Open()->ListResults().value(), IsEmpty());
  EXPECT_EQ(page_.asked().size(), 2u);
}

TEST_F(HttpSourceTest, AListThatTellsTheSameAgainEnds) {
  page_.Put("/api/v1/studies", absl::StrCat(R"({"studies": [)", Row("s1"), R"(], "matching": 1000000})"));
  const absl::Status status = Open()->ListResults().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("tells the same again"));
  EXPECT_EQ(page_.asked().size(), 5u);
}

// A page that has another study whenever it is asked, and always one more.
TEST_F(HttpSourceTest, AListWithoutEndEndsWithTheBudget) {
  auto next = std::make_shared<std::atomic<int>>(0);
  page_.Put("/api/v1/studies", [=](const httplib::Request&, httplib::Response& response) {
    const std::string id = absl::StrCat("s", ++*next);
    response.status = 200;
    response.set_content(absl::StrCat(R"({"studies": [)", Row(id), R"(], "matching": 1000000})"),
                         "application/json");
  });
  PullBudget budget({.requests = 20});
  HttpSource::Options options = Options();
  options.budget = &budget;
  const absl::Status status = HttpSource::Open(options).value()->ListResults().status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(page_.url()));
  EXPECT_THAT(std::string(status.message()), HasSubstr("asked 21 times"));
  EXPECT_EQ(page_.asked().size(), 21u);
}

TEST_F(HttpSourceTest, AnAnswerWithoutEndEndsWithTheBudget) {
  ManualClock clock;
  PullBudget budget({.without_news = absl::Minutes(1)}, &clock);
  // A byte at a time, for ever; and time passes.
  page_.Put("/api/v1/studies/s1/archive", [&](const httplib::Request&, httplib::Response& response) {
    response.status = 200;
    response.set_chunked_content_provider("application/octet-stream", [&](size_t, httplib::DataSink& sink) {
      clock.Advance(absl::Seconds(1));
      return sink.write("x", 1);
    });
  });
  HttpSource::Options options = Options();
  options.budget = &budget;
  const absl::Status status = HttpSource::Open(options).value()->FetchArchive("s1").status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("has told nothing new for"));
  page_.Stop();  // it uses the clock
}

TEST_F(HttpSourceTest, WhereAStudyCameFrom) {
  page_.Put("/api/v1/studies/s1", R"({"id": "s1", "provenance": null})");
  page_.Put(
      "/api/v1/studies/s2",
      R"({"provenance": {"format": "archive", "server": "lab", "study_id": "s7", "fingerprint": "f0"}})");
  v1::Study study;
  study.set_id("s1");
  EXPECT_EQ(Open()->OriginOf(study)->study_id(), "");
  study.set_id("s2");
  EXPECT_EQ(Open()->OriginOf(study)->study_id(), "s7");
  EXPECT_EQ(Open()->OriginOf(study)->server(), "lab");
  EXPECT_EQ(Open()->OriginOf(study)->fingerprint(), "f0");
  study.set_id("s3");
  EXPECT_TRUE(absl::IsNotFound(Open()->OriginOf(study).status()));
}

TEST_F(HttpSourceTest, FetchesArchivesAsTheyAre) {
  const std::string file = PrintArchive(v1::Archive()).value();
  page_.Put("/api/v1/studies/s1/archive", file);
  page_.Put("/api/v1/studies/s2/archive", "<html>");
  page_.Put("/api/v1/studies/s3/archive", FakePage::Error("failed_precondition", "s3 has not ended"), 409);
  const auto source = Open();
  EXPECT_EQ(source->FetchArchive("s1").value(), file);
  EXPECT_THAT(std::string(source->FetchArchive("s2").status().message()), HasSubstr("no tuned-server"));
  const absl::Status running = source->FetchArchive("s3").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(running));
  EXPECT_THAT(std::string(running.message()), HasSubstr("s3 has not ended"));
  EXPECT_THAT(std::string(running.message()), HasSubstr(page_.url()));
  EXPECT_TRUE(absl::IsNotFound(source->FetchArchive("s4").status()));
  // Nothing is asked for that is no id.
  const size_t before = page_.asked().size();
  for (const char* id : {"", "s", "s0", "4", "s1/../../metrics", "s1?x", "s11111111111111111111"})
    EXPECT_TRUE(absl::IsNotFound(source->FetchArchive(id).status())) << id;
  EXPECT_EQ(page_.asked().size(), before);
}

TEST_F(HttpSourceTest, ABusyServerIsAskedAgain) {
  const std::string file = PrintArchive(v1::Archive()).value();
  auto left = std::make_shared<std::atomic<int>>(3);
  page_.Put("/api/v1/studies/s1/archive", [=](const httplib::Request&, httplib::Response& response) {
    response.status = left->fetch_sub(1) > 0 ? 503 : 200;
    response.set_content(
        response.status == 200 ? file : FakePage::Error("unavailable", "others are being written"),
        "application/octet-stream");
  });
  EXPECT_EQ(Open()->FetchArchive("s1").value(), file);
  *left = 1'000'000;
  HttpSource::Options options = Options();
  options.tries = 4;
  const auto source = HttpSource::Open(options).value();
  const size_t before = page_.asked().size();
  const absl::Status status = source->FetchArchive("s1").status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("others are being written"));
  EXPECT_EQ(page_.asked().size(), before + 4);
}

TEST_F(HttpSourceTest, ABusyServerIsLeftAfterAnInterruption) {
  std::atomic<bool> interrupted{false};
  page_.Put("/api/v1/studies/s1/archive", [&](const httplib::Request&, httplib::Response& response) {
    interrupted = true;
    response.status = 503;
  });
  HttpSource::Options options = Options();
  options.pause = absl::Hours(1);
  options.http.interrupted = [&] { return interrupted.load(); };
  EXPECT_TRUE(absl::IsCancelled(HttpSource::Open(options).value()->FetchArchive("s1").status()));
}

TEST_F(HttpSourceTest, TheTokenIsSentAndItsLackExplained) {
  page_.SetToken("0123456789abcdef");
  const absl::Status lacks = HttpSource::Open(Options()).status();
  EXPECT_TRUE(absl::IsUnauthenticated(lacks)) << lacks;
  EXPECT_THAT(std::string(lacks.message()), HasSubstr("this server wants its token"));
  EXPECT_THAT(std::string(lacks.message()), HasSubstr("--from-token-file"));
  HttpSource::Options options = Options();
  options.http.token = "0123456789abcdef";
  EXPECT_TRUE(HttpSource::Open(options).ok());
  page_.Put("/api/v1/server", FakePage::Error("permission_denied", "names of its own machine only"), 403);
  const absl::Status denied = HttpSource::Open(options).status();
  EXPECT_TRUE(absl::IsPermissionDenied(denied));
  EXPECT_THAT(std::string(denied.message()), HasSubstr("names of its own machine only"));
}

TEST_F(HttpSourceTest, WhatIsNoTunedServerIsNamed) {
  const std::vector<std::pair<std::string, int>> answers = {{"<html>hello</html>", 200},
                                                            {"[]", 200},
                                                            {"{}", 200},
                                                            {R"({"version": 3})", 200},
                                                            {"", 200},
                                                            {"Not found", 404},
                                                            {"oops", 500},
                                                            {std::string(200, '['), 200}};
  for (const auto& [body, status] : answers) {
    page_.Put("/api/v1/server", body, status);
    const absl::Status refused = HttpSource::Open(Options()).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << body << ": " << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr("no tuned-server")) << body;
    EXPECT_THAT(std::string(refused.message()), HasSubstr(page_.url())) << body;
  }
  page_.Put("/api/v1/server", R"({"version": "7.0.0"})");
  EXPECT_THAT(std::string(HttpSource::Open(Options()).status().message()), HasSubstr("has version 7.0.0"));
  page_.Put("/api/v1/server", [](const httplib::Request&, httplib::Response& response) {
    response.set_redirect("https://elsewhere/api", 301);
  });
  EXPECT_THAT(std::string(HttpSource::Open(Options()).status().message()),
              HasSubstr("redirects to https://elsewhere/api"));
}

TEST_F(HttpSourceTest, ListsThatMakeNoSenseAreRefused) {
  const auto source = Open();
  for (const char* list : {"[]", "{}", R"({"studies": {}})", R"({"studies": [7]})",
                           R"({"studies": [{"id": "../x"}]})", R"({"studies": [{"id": 7}]})"}) {
    page_.Put("/api/v1/studies", list);
    EXPECT_TRUE(absl::IsFailedPrecondition(source->ListResults().status())) << list;
  }
}

// What a server says is printed on a terminal.
TEST_F(HttpSourceTest, MessagesHoldNoControlCharacters) {
  page_.Put("/api/v1/studies/s1/archive", FakePage::Error("not_found", "\\u001b[2Jgone\\nfar away"), 404);
  const std::string message(Open()->FetchArchive("s1").status().message());
  EXPECT_THAT(message, HasSubstr("gone far away"));
  EXPECT_THAT(message, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace tune
