// A server that is asked over its read API, which its page uses as well.
#pragma once

#include <memory>

#include "client/exchange/http_client.h"
#include "client/exchange/pull_budget.h"
#include "client/exchange/study_source.h"
#include "client/report/json.h"

namespace tune {

// Besides HttpClient's errors: FAILED_PRECONDITION: no tuned-server answers there, one of another version, or
// the address is redirected; UNAUTHENTICATED, PERMISSION_DENIED: the token is missing or wrong; what the
// server itself has refused; RESOURCE_EXHAUSTED: the budget. Each names the address and says what to do.
class HttpSource : public StudySource {
 public:
  struct Options {
    HttpOptions http;
    std::string token_option = "--from-token-file";  // what the user gives a token and an authority with
    std::string ca_option = "--from-ca-file";
    // A server that is busy is asked again, so often and after such a pause.
    int tries = 30;
    absl::Duration pause = absl::Seconds(1);
    int page = 500;  // studies of one list
    // What all answers together may cost; not owned, null: no limit.
    PullBudget* budget = nullptr;
  };
  // Asks the server who it is.
  static absl::StatusOr<std::unique_ptr<HttpSource>> Open(const Options& options);

  const std::string& address() const override { return address_; }
  absl::StatusOr<std::vector<v1::Study>> ListResults() override;
  absl::StatusOr<v1::Provenance> OriginOf(const v1::Study& listed) override;
  absl::StatusOr<std::string> FetchArchive(const std::string& study_id) override;

 private:
  HttpSource(const Options& options, HttpClient client)
      : options_(options), address_(options.http.address.ToString()), client_(std::move(client)) {}

  absl::Status CheckServer() const;
  // The body of an answer with status 200; every other one becomes an error.
  absl::StatusOr<std::string> Get(const std::string& path, const HttpLimits& limits) const;
  // Asks a server that is busy again.
  absl::StatusOr<HttpAnswer> Ask(const std::string& path, const HttpLimits& limits) const;
  // One request, which ends when the budget does.
  absl::StatusOr<HttpAnswer> AskOnce(const std::string& path, const HttpLimits& limits) const;
  absl::Status CheckBudget() const;
  absl::StatusOr<Json> GetJson(const std::string& path) const;
  absl::Status Refusal(const HttpAnswer& answer) const;
  absl::Status NoTunedServer() const;
  // Appends what the page of a list holds; the number of its rows.
  absl::StatusOr<int64_t> ReadPage(const Json& page, std::vector<v1::Study>* studies) const;

  const Options options_;
  const std::string address_;
  const HttpClient client_;
};

}  // namespace tune
