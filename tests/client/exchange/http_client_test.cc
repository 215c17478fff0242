// Requests to another server: limits, interruption, what is sent.
#include "client/exchange/http_client.h"

#include <gmock/gmock.h>

#include <atomic>

#include "absl/synchronization/notification.h"
#include "client/submit/study_client.h"
#include "tests/client/testing/fake_page.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class HttpClientTest : public ::testing::Test {
 protected:
  HttpOptions Options() const {
    HttpOptions options;
    options.address = ParseHttpAddress(page_.url()).value();
    return options;
  }
  absl::StatusOr<HttpAnswer> Get(const std::string& path, const HttpLimits& limits = {}) const {
    return HttpClient::Open(Options())->Get(path, limits);
  }
  // Bytes without an end, or until the client has gone.
  void PutEndless(const std::string& path) {
    page_.Put(path, [](const httplib::Request&, httplib::Response& response) {
      response.status = 200;
      response.set_chunked_content_provider("application/octet-stream", [](size_t, httplib::DataSink& sink) {
        const std::string piece(1 << 16, 'x');
        return sink.write(piece.data(), piece.size());
      });
    });
  }

  FakePage page_;
};

TEST_F(HttpClientTest, TellsWhatWasAnswered) {
  page_.Put("/a", "text", 200);
  page_.Put("/b", "no", 409);
  EXPECT_EQ(Get("/a?x=1")->body, "text");
  EXPECT_EQ(Get("/a")->status, 200);
  EXPECT_EQ(Get("/b")->status, 409);
  EXPECT_EQ(Get("/b")->body, "no");
  EXPECT_EQ(page_.asked()[0], "/a?x=1");
  EXPECT_EQ(page_.Header("Authorization"), "");
  EXPECT_EQ(page_.Header("Accept-Encoding"), "identity");
  HttpOptions options = Options();
  options.token = "0123456789abcdef";
  ASSERT_TRUE(HttpClient::Open(options)->Get("/a", {}).ok());
  EXPECT_EQ(page_.Header("Authorization"), "Bearer 0123456789abcdef");
}

TEST_F(HttpClientTest, RedirectionsAreNotFollowed) {
  page_.Put("/a",
            [](const httplib::Request&, httplib::Response& response) { response.set_redirect("/b", 302); });
  page_.Put("/b", "text");
  const HttpAnswer answer = Get("/a").value();
  EXPECT_EQ(answer.status, 302);
  EXPECT_EQ(answer.location, "/b");
  EXPECT_EQ(page_.asked().size(), 1u);
}

TEST_F(HttpClientTest, LargeAnswersAreCut) {
  HttpLimits limits;
  limits.bytes = 1000;
  page_.Put("/fits", std::string(1000, 'x'));
  page_.Put("/large", std::string(1001, 'x'));
  PutEndless("/endless");
  EXPECT_EQ(Get("/fits", limits)->body.size(), 1000u);
  for (const char* path : {"/large", "/endless"}) {
    const absl::Status status = Get(path, limits).status();
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << path << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(page_.url()));
  }
  page_.Put("/refused", std::string(1 << 20, 'x'), 500);
  EXPECT_TRUE(absl::IsResourceExhausted(Get("/refused").status()));
}

TEST_F(HttpClientTest, ALateAnswerIsAnError) {
  PutEndless("/endless");
  HttpLimits limits;
  limits.bytes = INT64_MAX;
  limits.whole = absl::Milliseconds(30);
  const absl::Status late = Get("/endless", limits).status();
  EXPECT_TRUE(absl::IsUnavailable(late)) << late;
  EXPECT_THAT(std::string(late.message()), HasSubstr("took longer"));
  EXPECT_FALSE(IsUnreachable(late));
}

TEST_F(HttpClientTest, SilenceIsAnError) {
  absl::Notification release;
  page_.Put("/silent", [&](const httplib::Request&, httplib::Response&) { release.WaitForNotification(); });
  HttpLimits limits;
  limits.silence = absl::Milliseconds(30);
  const absl::Status silent = Get("/silent", limits).status();
  release.Notify();
  page_.Stop();  // nobody waits for it any more
  EXPECT_TRUE(absl::IsUnavailable(silent)) << silent;
  EXPECT_THAT(std::string(silent.message()), HasSubstr("broke off"));
}

TEST_F(HttpClientTest, AnInterruptionEndsTheRequest) {
  absl::Notification release;
  std::atomic<bool> interrupted{false};
  page_.Put("/silent", [&](const httplib::Request&, httplib::Response&) {
    interrupted = true;
    release.WaitForNotification();
  });
  HttpOptions options = Options();
  options.interrupted = [&] { return interrupted.load(); };
  const absl::Status status = HttpClient::Open(options)->Get("/silent", {}).status();
  release.Notify();
  page_.Stop();  // nobody waits for it any more
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

TEST_F(HttpClientTest, ABrokenAnswerIsAnError) {
  page_.Put("/broken", [](const httplib::Request&, httplib::Response& response) {
    response.status = 200;
    response.set_content_provider(1000, "text/plain", [](size_t offset, size_t, httplib::DataSink& sink) {
      if (offset > 0) return false;
      return sink.write("half", 4);
    });
  });
  const absl::Status status = Get("/broken").status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
}

TEST_F(HttpClientTest, NobodyAnswers) {
  page_.Stop();
  const absl::Status status = Get("/a").status();
  EXPECT_TRUE(IsUnreachable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(page_.url()));
}

TEST_F(HttpClientTest, HttpsNeedsAServerOfHttps) {
  HttpOptions options = Options();
  options.ca_file = "/nowhere";
  EXPECT_TRUE(absl::IsInvalidArgument(HttpClient::Open(options).status()));  // with http://
  options.address.tls = true;
  EXPECT_TRUE(absl::IsNotFound(HttpClient::Open(options).status()));
  options.ca_file.clear();
  const absl::Status status = HttpClient::Open(options)->Get("/a", {}).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("TLS"));
}

}  // namespace
}  // namespace tune
