#include "client/exchange/http_client.h"

#include <httplib.h>
#include <signal.h>

#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/report/units.h"
#include "client/submit/study_client.h"
#include "common/base/file.h"

namespace tune {
namespace {

constexpr absl::Duration kBetweenLooks = absl::Milliseconds(20);
constexpr int64_t kLargestErrorPage = 64 << 10;

std::unique_ptr<httplib::ClientImpl> MakeClient(const HttpOptions& options, const HttpLimits& limits) {
  std::unique_ptr<httplib::ClientImpl> client;
  const HttpAddress& address = options.address;
#ifdef CPPHTTPLIB_OPENSSL_SUPPORT
  if (address.tls) {
    client = std::make_unique<httplib::SSLClient>(address.host, address.port);
    if (!options.ca_file.empty()) client->set_ca_cert_path(options.ca_file);
    client->enable_server_certificate_verification(true);
  }
#endif
  if (client == nullptr) client = std::make_unique<httplib::ClientImpl>(address.host, address.port);
  client->set_connection_timeout(absl::ToChronoMilliseconds(options.connect_limit));
  client->set_read_timeout(absl::ToChronoMilliseconds(limits.silence));
  client->set_write_timeout(absl::ToChronoMilliseconds(limits.silence));
  client->set_follow_location(false);
  client->set_decompress(false);  // nothing compressed is asked for
  return client;
}

// One request on a thread of its own, so that it can be ended from outside.
class Transfer {
 public:
  Transfer(const HttpOptions& options, const HttpLimits& limits)
      : options_(options), limits_(limits), client_(MakeClient(options, limits)) {}

  absl::StatusOr<HttpAnswer> Run(const std::string& path) {
    std::thread thread([this, &path] {
      sigset_t all;  // signals are for the thread that waits; a closed connection is an error like others
      sigfillset(&all);
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
      Request(path);
      done_.Notify();
    });
    const absl::Status ended = Wait();
    thread.join();
    if (!ended.ok()) return ended;
    if (too_large_) {
      return absl::ResourceExhaustedError(absl::StrCat(options_.address.ToString(), path,
                                                       ": the answer has more than ",
                                                       FormatBytes(limits_.bytes), ", which is too much"));
    }
    if (refused_ || error_ == httplib::Error::Success) return std::move(answer_);
    return Explain();
  }

 private:
  void Request(const std::string& path) {
    httplib::Headers headers = {{"Accept-Encoding", "identity"}, {"Accept", "*/*"}};
    if (!options_.token.empty()) headers.emplace("Authorization", "Bearer " + options_.token);
    const httplib::Result result = client_->Get(
        path, headers, [this](const httplib::Response& response) { return Begin(response); },
        [this](const char* data, size_t size) { return Take(data, size); });
    error_ = result.error();
  }

  // False: the body does not matter or is too large.
  bool Begin(const httplib::Response& response) {
    answer_.status = response.status;
    answer_.location = response.get_header_value("Location");
    refused_ = response.status >= 300 && response.status < 400;
    if (refused_) return false;
    // What a server that refuses says at length is cut.
    most_ = response.status == 200 ? limits_.bytes : std::min(limits_.bytes, kLargestErrorPage);
    uint64_t told = 0;
    too_large_ = absl::SimpleAtoi(response.get_header_value("Content-Length"), &told) &&
                 told > static_cast<uint64_t>(most_);
    return !too_large_;
  }

  bool Take(const char* data, size_t size) {
    too_large_ = static_cast<int64_t>(answer_.body.size() + size) > most_;
    if (!too_large_) answer_.body.append(data, size);
    return !too_large_;
  }

  // Until the request has ended. An error when it was ended here.
  absl::Status Wait() {
    const absl::Time end = absl::Now() + limits_.whole;
    absl::Status status;
    while (!done_.WaitForNotificationWithTimeout(kBetweenLooks)) {
      if (status.ok() && options_.interrupted()) status = absl::CancelledError("interrupted");
      if (status.ok() && absl::Now() > end) {
        status =
            absl::UnavailableError(absl::StrCat(options_.address.ToString(), ": the answer took longer than ",
                                                absl::FormatDuration(limits_.whole), "; try again"));
      }
      // Again each time: it does nothing before there is a connection.
      if (!status.ok()) client_->stop();
    }
    return status;
  }

  absl::Status Explain() const {
    const std::string url = options_.address.ToString();
    switch (error_) {
      case httplib::Error::Connection:
      case httplib::Error::ConnectionTimeout:
      case httplib::Error::BindIPAddress:
        return AsUnreachable(absl::UnavailableError(absl::StrCat(
            "no server answers at ", url,
            ". The address of its page is wanted, which tuned-server tells when it starts (port 7411 unless "
            "--http says another); `ssh -L 7411:localhost:7411 HOST` reaches one that serves its own machine "
            "alone.")));
      case httplib::Error::SSLServerVerification:
        return absl::FailedPreconditionError(absl::StrCat(
            url,
            ": its certificate is not trusted or is another host's; name the PEM file of the authority that "
            "signed it"));
      case httplib::Error::SSLLoadingCerts:
        return absl::FailedPreconditionError(
            absl::StrCat(options_.ca_file.empty() ? "the certificates of this system" : options_.ca_file,
                         ": cannot be used"));
      case httplib::Error::SSLConnection:
        return absl::FailedPreconditionError(
            absl::StrCat(url, ": no connection with TLS; perhaps it is a server of http://"));
      default:
        return absl::UnavailableError(absl::StrCat(url, ": the answer broke off, or nothing came for ",
                                                   absl::FormatDuration(limits_.silence), "; try again"));
    }
  }

  const HttpOptions& options_;
  const HttpLimits& limits_;
  const std::unique_ptr<httplib::ClientImpl> client_;
  absl::Notification done_;
  // Written by the request's thread, read once it has ended.
  HttpAnswer answer_;
  int64_t most_ = 0;
  bool too_large_ = false;
  bool refused_ = false;  // a redirection
  httplib::Error error_ = httplib::Error::Unknown;
};

}  // namespace

absl::StatusOr<HttpClient> HttpClient::Open(HttpOptions options) {
  if (!options.ca_file.empty()) {
    if (!options.address.tls) {
      return absl::InvalidArgumentError(
          absl::StrCat(options.address.ToString(), ": a file of certificates goes with https:// alone"));
    }
    TUNE_ASSIGN_OR_RETURN(const std::string certificates, ReadFile(options.ca_file));
    if (!absl::StrContains(certificates, "-----BEGIN CERTIFICATE-----")) {
      return absl::InvalidArgumentError(
          absl::StrCat(options.ca_file, ": holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"));
    }
  }
#ifndef CPPHTTPLIB_OPENSSL_SUPPORT
  if (options.address.tls) {
    return absl::UnimplementedError(
        "this tunectl was built without TLS for http; `ssh -L` reaches the server");
  }
#endif
  return HttpClient(std::move(options));
}

absl::StatusOr<HttpAnswer> HttpClient::Get(const std::string& path, const HttpLimits& limits) const {
  return Transfer(options_, limits).Run(path);
}

}  // namespace tune
