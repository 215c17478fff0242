// Requests to another server's read API: bounded in time and size, and ended by Ctrl-C.
#pragma once

#include <functional>
#include <string>

#include "absl/time/time.h"
#include "client/exchange/http_address.h"
#include "common/base/status.h"

namespace tune {

struct HttpOptions {
  HttpAddress address;
  std::string token;    // sent as a bearer token; empty: none
  std::string ca_file;  // PEM file of the authorities to trust with https; empty: those of the system
  std::function<bool()> interrupted = [] { return false; };  // asked often
  absl::Duration connect_limit = absl::Seconds(10);
};

// What one answer may cost.
struct HttpLimits {
  absl::Duration silence = absl::Seconds(30);  // between two pieces
  absl::Duration whole = absl::Minutes(2);
  int64_t bytes = 64 << 20;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::string location;  // of a redirection
};

// One connection a request, as the server wants it. One thread at a time.
class HttpClient {
 public:
  // INVALID_ARGUMENT or NOT_FOUND when the certificates cannot be used.
  static absl::StatusOr<HttpClient> Open(HttpOptions options);

  const HttpOptions& options() const { return options_; }

  // GET of a path with its parameters, written as a URL needs them. An answer of any status is OK;
  // redirections are not followed, so that the token goes nowhere else. UNAVAILABLE: nothing answers
  // (IsUnreachable), the answer broke off, a limit of time; RESOURCE_EXHAUSTED: the limit of bytes;
  // FAILED_PRECONDITION: no trusted https; CANCELLED: interrupted.
  absl::StatusOr<HttpAnswer> Get(const std::string& path, const HttpLimits& limits) const;

 private:
  explicit HttpClient(HttpOptions options) : options_(std::move(options)) {}

  HttpOptions options_;
};

}  // namespace tune
